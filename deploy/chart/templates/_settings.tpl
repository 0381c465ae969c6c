{{/*
A value as the text of an environment variable. Helm reads integers of values as floating point numbers, which would
print as 5.36870912e+08.
*/}}
{{- define "hearsay.text" -}}
{{- if kindIs "float64" . -}}{{- printf "%.0f" . -}}{{- else -}}{{- toString . -}}{{- end -}}
{{- end -}}

{{/* A setting of a service: its own, else that of both, else a default. Takes also "setting" and "default". */}}
{{- define "hearsay.setting" -}}
{{- $own := index .root.Values .name "env" | default dict -}}
{{- $common := .root.Values.env | default dict -}}
{{- $text := "" -}}
{{- range list $common $own -}}
{{- if hasKey . $.setting -}}{{- $text = include "hearsay.text" (index . $.setting) -}}{{- end -}}
{{- end -}}
{{- default .default $text -}}
{{- end -}}

{{/* Names under which clients reach a service; those without a dot need no permission. */}}
{{- define "hearsay.allowedHosts" -}}
{{- $service := include "hearsay.name" . -}}
{{- $namespace := .root.Release.Namespace -}}
{{- $inside := list (printf "%s.%s" $service $namespace) (printf "%s.%s.svc" $service $namespace) (printf "%s.%s.svc.%s" $service $namespace .root.Values.clusterDomain) -}}
{{- concat (index .root.Values .name "hosts") .root.Values.allowedHosts $inside | uniq | join "," -}}
{{- end -}}

{{- define "hearsay.env" -}}
{{- $root := .root -}}
{{- $service := index $root.Values .name -}}
{{- $env := dict -}}
{{- range $settings := list $root.Values.env $service.env -}}
{{- range $key, $value := $settings -}}
{{- $_ := set $env $key (include "hearsay.text" $value) -}}
{{- end -}}
{{- end -}}
{{- $_ := set $env "ALLOWED_HOSTS" (include "hearsay.allowedHosts" .) -}}
{{- $keepsDownloads := and (eq .name "say") (eq $service.persistence.data.type "claim") -}}
{{- if and $keepsDownloads (not (hasKey $env "DOWNLOAD_DIR")) -}}
{{- $_ := set $env "DOWNLOAD_DIR" "/data/downloads" -}}
{{- end -}}
{{- range $key, $value := $env }}
- name: {{ $key }}
  value: {{ $value | quote }}
{{- end }}
{{- $cpu := "" -}}
{{- range $kind := list "requests" "limits" -}}
{{- if hasKey (index $service.resources $kind | default dict) "cpu" -}}{{- $cpu = $kind -}}{{- end -}}
{{- end -}}
{{- if and $cpu (not (hasKey $env "THREADS")) }}
- name: THREADS
  valueFrom:
    resourceFieldRef:
      containerName: {{ .name }}
      resource: {{ $cpu }}.cpu
{{- end }}
{{- $secrets := $root.Values.secrets -}}
{{- if eq .name "say" -}}{{- $secrets = omit $secrets "JOBS_URL" "CALLBACK_SECRET" -}}{{- end -}}
{{- range $key, $secret := $secrets }}
- name: {{ $key }}
  valueFrom:
    secretKeyRef:
      name: {{ $secret.name }}
      key: {{ $secret.key }}
{{- end }}
{{- with $service.extraEnv }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* Bytes of /tmp: what the settings allow to be there at once, and 256 MiB. */}}
{{- define "hearsay.tmpSize" -}}
{{- $size := index .root.Values .name "tmpSize" -}}
{{- $bytes := int64 268435456 -}}
{{- if eq .name "hear" -}}
{{- $upload := include "hearsay.setting" (merge (dict "setting" "MAX_UPLOAD_BYTES" "default" "536870912") .) | int64 -}}
{{- $disk := include "hearsay.setting" (merge (dict "setting" "UPLOAD_DISK_BYTES" "default" "8589934592") .) | int64 -}}
{{- $bytes = add $bytes (max $upload $disk) -}}
{{- else -}}
{{- $downloads := include "hearsay.setting" (merge (dict "setting" "DOWNLOAD_MAX_BYTES" "default" "2147483648") .) | int64 -}}
{{- $answer := include "hearsay.setting" (merge (dict "setting" "MAX_ANSWER_BYTES" "default" "2000000000") .) | int64 -}}
{{- $running := include "hearsay.setting" (merge (dict "setting" "MAX_CONCURRENCY" "default" "16") .) | int64 -}}
{{- $bytes = add $bytes $downloads (mul $answer $running) -}}
{{- end -}}
{{- default (toString $bytes) $size -}}
{{- end -}}

{{/* Seconds for a pod to end: the pause, running requests, and what closes after them. */}}
{{- define "hearsay.gracePeriod" -}}
{{- $running := include "hearsay.setting" (merge (dict "setting" "SHUTDOWN_TIMEOUT_SECONDS" "default" "30") .) | int64 -}}
{{- $delay := include "hearsay.setting" (merge (dict "setting" "SHUTDOWN_DELAY_SECONDS" "default" "0") .) | int64 -}}
{{- add .root.Values.preStopSeconds $delay $running 10 -}}
{{- end -}}

{{- define "hearsay.isOffline" -}}
{{- $offline := include "hearsay.setting" (merge (dict "setting" "HF_HUB_OFFLINE" "default" "false") .) -}}
{{- has ($offline | trim | lower) (list "true" "1" "yes" "on") | ternary "true" "" -}}
{{- end -}}

{{/* Whether several pods of a service may run at once, also only while one replaces another. */}}
{{- define "hearsay.isShareable" -}}
{{- $shareable := "true" -}}
{{- range $volume := index .root.Values .name "persistence" -}}
{{- if and (eq $volume.type "claim") (not (has "ReadWriteMany" $volume.accessModes)) -}}{{- $shareable = "" -}}{{- end -}}
{{- end -}}
{{- $shareable -}}
{{- end -}}

{{/* Refuses values that would render and then not work. */}}
{{- define "hearsay.check" -}}
{{- $service := index .root.Values .name -}}
{{- $exposed := or .root.Values.ingress.enabled .root.Values.httpRoute.enabled -}}
{{- if and $exposed (not (hasKey .root.Values.secrets "API_KEY")) (not .root.Values.allowWithoutKey) -}}
{{- fail "ingress and httpRoute need secrets.API_KEY, or allowWithoutKey=true: anyone could use the services" -}}
{{- end -}}
{{- $several := or (gt (int $service.replicas) 1) (ne .root.Values.autoscaling.kind "none") -}}
{{- if and $several (not (include "hearsay.isShareable" .)) -}}
{{- fail (printf "%s: several replicas need claims with ReadWriteMany; use type: ephemeral, or replicas: 1" .name) -}}
{{- end -}}
{{- if and (eq .root.Values.autoscaling.kind "keda") (not .root.Values.autoscaling.prometheus.serverAddress) -}}
{{- fail "autoscaling.kind keda needs autoscaling.prometheus.serverAddress" -}}
{{- end -}}
{{- if gt (int $service.autoscaling.minReplicas) (int $service.autoscaling.maxReplicas) -}}
{{- fail (printf "%s.autoscaling: minReplicas is above maxReplicas" .name) -}}
{{- end -}}
{{- end -}}
