{{/* The sinks of notifications, as a dict. Files are the chart's: a Secret of notifier.secrets is mounted, and its files are named here. */}}
{{- define "ovn-steward.sinks" -}}
{{- $secrets := .Values.notifier.secrets -}}
{{- $sinks := dict -}}
{{- range $name, $sink := dig "notify" "sinks" dict .Values.settings -}}
{{- if or (hasKey $sink "urlFile") (hasKey $sink "tokenFile") -}}
{{- fail (printf "settings.notify.sinks.%s names a file, which no pod has: name its Secret in notifier.secrets.%s." $name $name) -}}
{{- end -}}
{{- $made := deepCopy $sink -}}
{{- $secret := get $secrets $name | default dict -}}
{{- if $secret.urlKey -}}
{{- $_ := set $made "urlFile" (printf "/etc/ovn-steward/sinks/%s/url" $name) -}}
{{- end -}}
{{- if $secret.tokenKey -}}
{{- $_ := set $made "tokenFile" (printf "/etc/ovn-steward/sinks/%s/token" $name) -}}
{{- end -}}
{{- if and $secret (not $secret.urlKey) (not $secret.tokenKey) -}}
{{- fail (printf "notifier.secrets.%s has neither urlKey nor tokenKey: name the keys in the Secret." $name) -}}
{{- end -}}
{{- if hasKey $sink "kubeconfig" -}}
{{- fail (printf "settings.notify.sinks.%s.kubeconfig names a file, which no pod has: Events are written with the account of the pod." $name) -}}
{{- end -}}
{{- if hasKey $sink "topic" -}}
{{- if ne $.Values.mode "kafka" -}}
{{- fail (printf "settings.notify.sinks.%s writes to a topic of Kafka, and mode embedded has no brokers: use mode kafka, or another type of sink." $name) -}}
{{- end -}}
{{- if $secret -}}
{{- fail (printf "notifier.secrets.%s: a sink of type %s logs in as the notifier does, see kafka.clients.notifier." $name $sink.type) -}}
{{- end -}}
{{- else if and (ne $sink.type "kubernetes-events") (eq (hasKey $made "url") (hasKey $made "urlFile")) -}}
{{- fail (printf "Sink %s needs either settings.notify.sinks.%s.url or notifier.secrets.%s.urlKey." $name $name $name) -}}
{{- end -}}
{{- $_ := set $sinks $name $made -}}
{{- end -}}
{{- range $name, $_ := $secrets -}}
{{- if not (hasKey $sinks $name) -}}
{{- fail (printf "notifier.secrets.%s belongs to no sink: settings.notify.sinks has no %s." $name $name) -}}
{{- end -}}
{{- end -}}
{{ toYaml $sinks }}
{{- end }}

{{/* Whether a workload notifies: "true", or nothing. Takes a dict: root, component. */}}
{{- define "ovn-steward.notifies" -}}
{{- if and (has .component (list "embedded" "notifier")) (dig "notify" "sinks" dict .root.Values.settings) -}}true{{- end -}}
{{- end }}

{{/* The ports of the sinks, each once, separated by commas. */}}
{{- define "ovn-steward.sinkPorts" -}}
{{- $ports := list -}}
{{- range $name, $sink := include "ovn-steward.sinks" . | fromYaml -}}
{{- if or $sink.url $sink.urlFile -}}
{{- $url := $sink.url | default "https://secret" | urlParse -}}
{{- $port := regexFind ":[0-9]+$" $url.host | trimPrefix ":" -}}
{{- $ports = append $ports ($port | default (eq $url.scheme "http" | ternary "80" "443")) -}}
{{- end -}}
{{- end -}}
{{ join "," (.Values.networkPolicy.sinks.ports | default $ports) }}
{{- end }}

{{/* The topics that sinks write to, each once, separated by commas. */}}
{{- define "ovn-steward.sinkTopics" -}}
{{- $topics := list -}}
{{- range $name, $sink := include "ovn-steward.sinks" . | fromYaml -}}
{{- with $sink.topic -}}{{- $topics = append $topics . -}}{{- end -}}
{{- end -}}
{{ $topics | uniq | join "," }}
{{- end }}
