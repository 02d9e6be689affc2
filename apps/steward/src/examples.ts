/**
 * How each command is called, by its name after `steward`. Shown at the end of its help and on
 * docs/commands.md, whose test holds that commands and options exist.
 */
export const EXAMPLES: Readonly<Record<string, readonly string[]>> = {
  audit: [
    'steward audit --ovn-nb nb.db --kubernetes dump',
    'steward audit --ovn-nb tcp:10.0.0.1:6641 --kubernetes ~/.kube/config --output json',
  ],
  subnets: [
    'steward subnets --ovn-nb nb.db --kubernetes dump',
    'steward subnets apps external --ovn-nb tcp:10.0.0.1:6641 --kubernetes ~/.kube/config',
    'steward subnets --kafka-brokers kafka-1:9092 --cluster berlin-1',
    'steward subnets --server http://127.0.0.1:9470 -n shop --watch',
  ],
  run: [
    'steward run --ovn-nb tcp:10.0.0.1:6641 --kubernetes ~/.kube/config --state-dir /var/lib/steward',
    'steward run --config steward.yaml --listen 127.0.0.1:9470',
  ],
  findings: [
    'steward findings --state-dir /var/lib/steward --state confirmed',
    'steward findings --state-dir /var/lib/steward --rule leaked-ip --output json',
    'steward findings cc3a3fad1d 3f9c21d0 --state-dir /var/lib/steward',
    'steward findings --server http://127.0.0.1:9470 --class leak -o wide',
    'steward findings --state-dir /var/lib/steward -n shop -w',
  ],
  watch: [
    'steward watch --state-dir /var/lib/steward --sort-by severity',
    'steward watch --kafka-brokers kafka-1:9092 --cluster berlin-1 -n shop',
  ],
  explain: [
    'steward explain cc3a3fad1d --ovn-nb nb.db --kubernetes dump',
    'steward explain cc3a3fad1d --state-dir /var/lib/steward --timeline',
  ],
  report: [
    'steward report --ovn-nb nb.db --kubernetes dump --output html > report.html',
    'steward report --state-dir /var/lib/steward --output markdown',
    'steward report --kafka-brokers kafka-1:9092 --cluster berlin-1 --output sarif > report.sarif',
    'steward report --state-dir /var/lib/steward -o openreports | kubectl apply -f -',
  ],
  score: [
    'steward score --ovn-nb nb.db --kubernetes dump',
    'steward score --ovn-nb tcp:10.0.0.1:6641 --kubernetes ~/.kube/config --for 24h --output markdown',
    'steward score --kafka-brokers kafka-1:9092 --cluster berlin-1',
  ],
  diff: [
    'steward audit --ovn-nb nb.db --kubernetes dump --output json > today.json',
    'steward diff yesterday.json today.json',
  ],
  actions: [
    'steward actions --state-dir /var/lib/steward --state done',
    'steward actions 3f9c21d0 --state-dir /var/lib/steward',
    'steward actions --server http://127.0.0.1:9470 --state failed -w',
  ],
  record: ['steward record --ovn-nb tcp:10.0.0.1:6641 --kubernetes ~/.kube/config --out recording'],
  'dead-letters': ['steward dead-letters --kafka-brokers kafka-1:9092'],
  'dead-letters replay': [
    'steward dead-letters replay steward.changes.v1/3/1042 --kafka-brokers kafka-1:9092',
    'steward dead-letters replay --all --kafka-brokers kafka-1:9092 --yes',
  ],
  'stream replay': ['steward stream replay --kafka-brokers localhost:9092 --topic findings-test'],
  'stream check': ['steward stream check table.json'],
  heal: ['steward heal --cluster berlin-1 --kafka-brokers kafka-1:9092'],
  export: ['steward export --state-dir /var/lib/steward --out steward-export'],
  import: ['steward import steward-export --state-dir /var/lib/steward'],
  backup: [
    'steward backup --ovn-nb tcp:10.0.0.1:6641 --out nb.db',
    'steward backup --ovn-nb tcp:10.0.0.1:6641 --dir /var/backups/ovn --every 1h --keep 48',
  ],
  restore: [
    'steward restore nb.db --ovn-nb tcp:10.0.0.1:6641',
    'steward restore nb.db --ovn-nb tcp:10.0.0.1:6641 --owner neutron --yes',
  ],
  plan: [
    'steward plan --ovn-nb tcp:10.0.0.1:6641 --kubernetes ~/.kube/config --rule leaked-ip --out plan.yaml',
  ],
  apply: [
    'steward apply plan.yaml --ovn-nb tcp:10.0.0.1:6641 --kubernetes ~/.kube/config --dry-run',
    'steward apply plan.yaml --ovn-nb tcp:10.0.0.1:6641 --kubernetes ~/.kube/config --by anna',
  ],
  approve: ['steward approve 3f2a9c0d11 --state-dir /var/lib/steward'],
  hold: [
    'steward hold --reason "maintenance of the underlay" --until 2h --state-dir /var/lib/steward',
    'steward hold --rule leaked-ip --subnet shop --reason "tenant asked" --kafka-brokers kafka-1:9092 --cluster berlin-1',
  ],
  resume: ['steward resume --rule leaked-ip --subnet shop --state-dir /var/lib/steward'],
  holds: [
    'steward holds --state-dir /var/lib/steward',
    'steward holds --kafka-brokers kafka-1:9092 --cluster berlin-1 -w',
  ],
  suppress: [
    'steward suppress 3f9c21d0 --reason "known; rebuilt tonight" --until 1d --state-dir /var/lib/steward',
  ],
  unsuppress: ['steward unsuppress 3f9c21d0 --state-dir /var/lib/steward'],
  protect: [
    'steward protect --namespace audit --rule leaked-ip --reason "kept for the auditors" --state-dir /var/lib/steward',
  ],
  unprotect: ['steward unprotect --namespace audit --rule leaked-ip --state-dir /var/lib/steward'],
  suppressions: [
    'steward suppressions --state-dir /var/lib/steward',
    'steward suppressions --state-dir /var/lib/steward -w --every 10',
  ],
  undo: [
    'steward undo 8c41d2e09a77 --state-dir /var/lib/steward',
    'steward undo 8c41d2e09a77 --ovn-nb tcp:10.0.0.1:6641 --kubernetes ~/.kube/config',
  ],
  'give-up': [
    'steward give-up 8c41d2e09a77 --reason "the IP was deleted by hand" --state-dir /var/lib/steward',
  ],
  adopt: [
    'steward adopt --cluster berlin-1 --northbound nb:5d02d3d0-9a3c-4ee1-a0cb-9c6e1b7f3a54 --kubernetes-uid 0f6f7a3e-33c5-4f6b-8a3e-6f6f0c4f2d11 --reason "rebuilt on Tuesday"',
  ],
  'guard install': ['steward guard install', 'steward guard install pod-gate --yes'],
  'guard status': ['steward guard status --kubernetes ~/.kube/config'],
  'guard remove': ['steward guard remove --dry-run', 'steward guard remove vpc-with-subnets --yes'],
  'guard run': ['steward guard run --watch-only', 'steward guard run --ovn-nb tcp:10.0.0.1:6641'],
  'guard gates': ['steward guard gates --install --pod-timeout 10m'],
  doctor: [
    'steward doctor --ovn-nb nb.db --kubernetes dump',
    'steward doctor subnet/web --ovn-nb tcp:10.0.0.1:6641 --kubernetes ~/.kube/config --free',
  ],
  wait: [
    'steward wait subnet/shop-net --namespace shop --timeout 5m',
    'steward wait subnet/shop-net --for pod-addressed --pod shop/web-0',
  ],
  'keys generate': [
    'steward keys generate --role executor --name executor-berlin --out keys',
    'steward keys generate --role approver --name anna@example.org --out keys',
  ],
  'keys list': ['steward keys list --trusted keys'],
  config: ['steward config --config steward.yaml'],
  completion: ['source <(steward completion bash)', 'steward completion fish | source'],
};
