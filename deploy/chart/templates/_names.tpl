{{/* Name of the release's objects: <release>-hearsay, or the release if it says so already. */}}
{{- define "hearsay.fullname" -}}
{{- $name := default .Chart.Name .Values.nameOverride -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 50 | trimSuffix "-" -}}
{{- else if contains $name .Release.Name -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name $name | trunc 50 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{/* Name of the objects of one service. Takes (dict "root" $ "name" "hear"), as all below. */}}
{{- define "hearsay.name" -}}
{{- include "hearsay.fullname" .root }}-{{ .name -}}
{{- end -}}

{{- define "hearsay.selector" -}}
app.kubernetes.io/name: {{ default .root.Chart.Name .root.Values.nameOverride | trunc 63 | trimSuffix "-" }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .name }}
{{- end -}}

{{- define "hearsay.labels" -}}
{{ include "hearsay.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version | replace "+" "_" }}
{{- end -}}

{{- define "hearsay.serviceAccount" -}}
{{- $account := .Values.serviceAccount -}}
{{- if $account.create -}}
{{- default (include "hearsay.fullname" .) $account.name -}}
{{- else -}}
{{- default "default" $account.name -}}
{{- end -}}
{{- end -}}

{{- define "hearsay.image" -}}
{{- $image := .Values.image -}}
{{- if $image.digest -}}
{{- $image.repository }}@{{ $image.digest -}}
{{- else -}}
{{- $image.repository }}:{{ default .Chart.AppVersion $image.tag -}}
{{- end -}}
{{- end -}}

{{/* The port of a service, the default of PORT. */}}
{{- define "hearsay.port" -}}
{{- eq .name "hear" | ternary 8000 8880 -}}
{{- end -}}

{{/* Claim of a volume. Takes also "volume": models or data. */}}
{{- define "hearsay.claim" -}}
{{- $volume := index .root.Values .name "persistence" .volume -}}
{{- default (printf "%s-%s" (include "hearsay.name" .) .volume) $volume.existingClaim -}}
{{- end -}}
