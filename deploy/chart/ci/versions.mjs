import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

export const kubernetes = 'k8s.io/kubernetes@v1.37.2';

/** Custom resources: the name of kubeconform's file, the Go module, the definition in it, and the version. */
const definitions = [
  [
    'httproute-gateway-v1',
    'sigs.k8s.io/gateway-api@v1.6.0',
    'config/crd/standard/gateway.networking.k8s.io_httproutes.yaml',
    'v1',
  ],
  [
    'scaledobject-keda-v1alpha1',
    'github.com/kedacore/keda/v2@v2.21.0',
    'config/crd/bases/keda.sh_scaledobjects.yaml',
    'v1alpha1',
  ],
  [
    'servicemonitor-monitoring-v1',
    'github.com/prometheus-operator/prometheus-operator@v0.85.0',
    'example/prometheus-operator-crd/monitoring.coreos.com_servicemonitors.yaml',
    'v1',
  ],
];

/** The directory of a Go module, downloaded by `go`. */
export function moduleDirectory(module) {
  const answer = execFileSync('go', ['mod', 'download', '-json', module], { encoding: 'utf8', cwd: '/' });
  return JSON.parse(answer).Dir;
}

/** The custom resources that the chart renders, with the text of their definitions. */
export function resources() {
  return definitions.map(([name, module, path, version]) => {
    return { name, module, version, text: readFileSync(`${moduleDirectory(module)}/${path}`, 'utf8') };
  });
}
