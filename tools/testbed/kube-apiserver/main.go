// The Kubernetes API server as its own binary, so that tests meet the real one
// without a container engine. Its behaviour is entirely that of k8s.io/kubernetes.
package main

import (
	"os"

	"k8s.io/component-base/cli"
	"k8s.io/kubernetes/cmd/kube-apiserver/app"
)

func main() {
	os.Exit(cli.Run(app.NewAPIServerCommand()))
}
