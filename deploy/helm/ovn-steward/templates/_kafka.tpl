{{/* The namespace of Strimzi's objects. */}}
{{- define "ovn-steward.strimziNamespace" -}}
{{ .Values.kafka.strimzi.namespace | default .Release.Namespace }}
{{- end }}

{{- define "ovn-steward.brokers" -}}
{{- $brokers := dig "kafka" "brokers" list .Values.settings -}}
{{- $strimzi := .Values.kafka.strimzi -}}
{{- if $brokers -}}
{{ join "," $brokers }}
{{- else if $strimzi.enabled -}}
{{- required "kafka.strimzi.cluster: the name of the Kafka object is needed." $strimzi.cluster }}-kafka-bootstrap.{{ include "ovn-steward.strimziNamespace" . }}.svc:{{ include "ovn-steward.kafkaTls" . | eq "true" | ternary 9093 9092 }}
{{- else -}}
{{- fail "Mode kafka needs brokers: set settings.kafka.brokers, or kafka.strimzi.enabled and kafka.strimzi.cluster." -}}
{{- end -}}
{{- end }}

{{/* Whether TLS is spoken to the brokers: "true", or nothing. */}}
{{- define "ovn-steward.kafkaTls" -}}
{{- if or .Values.kafka.tls.enabled (eq .Values.kafka.authentication "tls") -}}true{{- end -}}
{{- end }}

{{/* The Secret with the authority of the brokers, or nothing. */}}
{{- define "ovn-steward.kafkaCaSecret" -}}
{{- if include "ovn-steward.kafkaTls" . -}}
{{- if .Values.kafka.tls.caSecret.name -}}
{{ .Values.kafka.tls.caSecret.name }}
{{- else if .Values.kafka.strimzi.enabled -}}
{{- if ne (include "ovn-steward.strimziNamespace" .) .Release.Namespace -}}
{{- fail "kafka.strimzi.namespace is not that of the release, and pods mount Secrets of their own namespace alone: copy the Secret of the cluster's authority, and name the copy in kafka.tls.caSecret.name." -}}
{{- end -}}
{{ .Values.kafka.strimzi.cluster }}-cluster-ca-cert
{{- end -}}
{{- end -}}
{{- end }}

{{/* Whether cert-manager makes the client's certificate: "true", or nothing. Takes a dict: root, component. */}}
{{- define "ovn-steward.kafkaIssued" -}}
{{- if and (eq .root.Values.kafka.authentication "tls") .root.Values.kafka.tls.issuer.name (not (get .root.Values.kafka.clients .component).secretName) -}}
true
{{- end -}}
{{- end }}

{{/* The Secret by which a service logs in. Takes a dict: root, component. */}}
{{- define "ovn-steward.kafkaSecret" -}}
{{- $client := get .root.Values.kafka.clients .component -}}
{{- $strimzi := .root.Values.kafka.strimzi -}}
{{- if $client.secretName -}}
{{ $client.secretName }}
{{- else if include "ovn-steward.kafkaIssued" . -}}
{{ include "ovn-steward.workload" . }}-kafka
{{- else if and $strimzi.enabled $strimzi.users -}}
{{- if ne (include "ovn-steward.strimziNamespace" .root) .root.Release.Namespace -}}
{{- fail (printf "kafka.strimzi.namespace is not that of the release, and pods mount Secrets of their own namespace alone: copy the Secret of KafkaUser %s, and name the copy in kafka.clients.%s.secretName." (include "ovn-steward.workload" .) .component) -}}
{{- end -}}
{{ include "ovn-steward.workload" . }}
{{- else -}}
{{- fail (printf "kafka.authentication is %s: kafka.clients.%s.secretName is needed." .root.Values.kafka.authentication .component) -}}
{{- end -}}
{{- end }}

{{/* The name a service logs in with. Takes a dict: root, component. */}}
{{- define "ovn-steward.kafkaUsername" -}}
{{- $client := get .root.Values.kafka.clients .component -}}
{{- $strimzi := .root.Values.kafka.strimzi -}}
{{- if $client.username -}}
{{ $client.username }}
{{- else if and $strimzi.enabled $strimzi.users -}}
{{ include "ovn-steward.workload" . }}
{{- else -}}
{{- fail (printf "kafka.authentication is %s: kafka.clients.%s.username is needed." .root.Values.kafka.authentication .component) -}}
{{- end -}}
{{- end }}

{{/* The settings kafka of a service. Takes a dict: root, component. */}}
{{- define "ovn-steward.kafkaSettings" -}}
{{- $made := dict "brokers" (splitList "," (include "ovn-steward.brokers" .root)) -}}
{{- $authentication := .root.Values.kafka.authentication -}}
{{- if include "ovn-steward.kafkaTls" .root -}}
{{- $tls := dict "enabled" true -}}
{{- if include "ovn-steward.kafkaCaSecret" .root -}}
{{- $_ := set $tls "caCertificate" "/etc/ovn-steward/kafka-ca/ca.pem" -}}
{{- end -}}
{{- if eq $authentication "tls" -}}
{{- $_ := set $tls "certificate" "/etc/ovn-steward/kafka/cert.pem" -}}
{{- $_ := set $tls "privateKey" "/etc/ovn-steward/kafka/key.pem" -}}
{{- end -}}
{{- $_ := set $made "tls" $tls -}}
{{- end -}}
{{- if not (has $authentication (list "none" "tls")) -}}
{{- $_ := set $made "sasl" (dict "mechanism" $authentication "username" (include "ovn-steward.kafkaUsername" .) "passwordFile" "/etc/ovn-steward/kafka/password") -}}
{{- end -}}
{{ merge $made (dig "kafka" dict .root.Values.settings) | toYaml }}
{{- end }}
