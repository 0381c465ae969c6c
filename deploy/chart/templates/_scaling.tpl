{{/*
The load of a service that autoscaling follows, as series and what one replica should have of each: requests running and
waiting over MAX_CONCURRENCY, and, as live sessions wait in no queue, sessions of MAX_REALTIME_SESSIONS.
*/}}
{{- define "hearsay.load" -}}
{{- $target := float64 .root.Values.autoscaling.target -}}
hearsay_queue_load: {{ $target }}
{{- if eq .name "hear" }}
{{- $sessions := include "hearsay.setting" (merge (dict "setting" "MAX_REALTIME_SESSIONS" "default" "16") .) | int }}
{{- if gt $sessions 0 }}
hearsay_realtime_sessions: {{ mulf $target $sessions }}
{{- end }}
{{- end }}
{{- end -}}

{{- define "hearsay.scaling" -}}
scaleUp:
  stabilizationWindowSeconds: 0
  policies:
    - type: Percent
      value: 100
      periodSeconds: 60
    - type: Pods
      value: 2
      periodSeconds: 60
scaleDown:
  stabilizationWindowSeconds: {{ .Values.autoscaling.scaleDownSeconds }}
  policies:
    - type: Pods
      value: 1
      periodSeconds: 60
{{- end -}}
