/** One sentence for each field of a manifest, by its path: editors show them, and docs/manifest.md lists them. */
import { KIND_DESCRIPTIONS } from '../flow/kinds.ts'

const below = (
  prefix: string,
  fields: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(fields).map(([path, text]) => [`${prefix}.${path}`, text]))

const RETRY = {
  retry: 'Further attempts after a failure.',
  'retry.maxAttempts': 'Attempts in all, the first included.',
  'retry.delayMs': 'Milliseconds before the second attempt.',
  'retry.backoffFactor': 'Each further delay is the one before times this.',
  'retry.maxDelayMs': 'The longest delay in milliseconds, before jitter; without it, a day.',
  'retry.jitter': 'Each delay is multiplied by a random factor from 1 - jitter to 1 + jitter.',
  'retry.notOn': 'Names of errors after which there is no further attempt.',
}

const EXPOSE = {
  expose: 'What agents see of it.',
  'expose.mcp': 'Whether agents may call it as a tool over MCP.',
  'expose.description': 'What the tool does, as the agent reads it.',
}

const ACTIONS = {
  ...RETRY,
  key: 'Name of the action in its app.',
  entrypoint: 'The file that exports `main(ctx)`.',
  timeoutS:
    'Seconds that one attempt may run; at most SVC_JOB_MAX_TIMEOUT_S, which also lowers the default.',
  tag: 'Which workers run it; without one, those of the default tag of the workspace.',
  inputSchema: 'JSON Schema 2020-12 that each input must fit.',
  concurrency: 'How many of its jobs run at once.',
  'concurrency.limit': 'Running jobs for each key.',
  'concurrency.key': 'A text, or a reference to a field of the input.',
  'concurrency.scope':
    'Which actions share the limit: those of the same name in the app or workspace.',
  'concurrency.name':
    'The name under which actions share the limit; for the scopes app and workspace.',
  rate: 'How often its jobs start; the others wait their turn.',
  'rate.limit': 'Starts for each key in any window of perS seconds.',
  'rate.perS': 'Length of the window in seconds.',
  'rate.key': 'A text, or a reference to a field of the input.',
  'rate.scope': 'Which actions share the rate: those of the same name in the app or workspace.',
  'rate.name': 'The name under which actions share the rate; for the scopes app and workspace.',
  debounce: 'Requests of one key that come close together become one job with the last input.',
  'debounce.key': 'A text, or a reference to a field of the input.',
  'debounce.quietS': 'Seconds without a further request after which the job starts.',
  'debounce.maxS': 'Seconds after the first request in which the job starts at the latest.',
  fairKey: 'Jobs take turns by this text, usually a reference such as the tenant in the input.',
  labels:
    'Texts by which its jobs are found, usually with a reference such as the customer in the input.',
  isolation: '`fresh`: each job gets a process of its own.',
  onWorkerLost: 'What happens to its job when the worker is lost.',
  memoryMb: 'MiB of memory; at most SVC_JOB_MAX_MEMORY_MB. Without one, SVC_JOB_MEMORY_MB.',
  network:
    'Hosts that it may connect to; without the list any public address, with an empty one none.',
  minLevel: 'Lowest isolation level of the worker; without one, any.',
  cancelGraceS:
    'Seconds that a canceled script has to clean up before it is killed; without it, 5.',
  startTimeoutS:
    'Seconds after it is due within which a job must start, or it is canceled; without it, any time.',
  ...EXPOSE,
  'expose.approval': 'A person must approve each call of an agent.',
}

const STEPS = {
  ...RETRY,
  key: 'Name of the step; later steps read its result by it.',
  kind: 'What the step does.',
  input: 'Input of the action; it may refer to the input and to results.',
  skipIf: 'Condition under which the step is skipped.',
  stopAfterIf: 'Condition under which the run ends with this step.',
  undo: 'What takes the step back when the run fails or is canceled later.',
  'undo.action': 'Key of the action that runs.',
  'undo.input': 'Its input; it may refer to the input, results, error and failedStep.',
  ...below('undo', RETRY),
  ...KIND_DESCRIPTIONS,
}

const FLOWS = {
  key: 'Name of the flow in its app.',
  steps: 'Its steps, in their order.',
  ...below('steps[]', STEPS),
  failureModule: 'What runs when the flow fails.',
  'failureModule.key': 'Name of this step.',
  'failureModule.action': 'Key of the action that runs.',
  'failureModule.input': 'Its input; it may refer to the input, results, error and failedStep.',
  'failureModule.onCancel': 'Whether it runs also when the run is canceled.',
  inputSchema: 'JSON Schema 2020-12 that each start input must fit.',
  concurrency:
    'How many of its runs are under way at once; the others wait for a concurrency slot.',
  'concurrency.limit': 'Runs for each key that have begun and not ended.',
  'concurrency.key': 'A text, or a reference to a field of the input.',
  labels:
    'Texts by which its runs are found, usually with a reference such as the customer in the input.',
  ...EXPOSE,
}

const WEBHOOKS = {
  key: 'Last part of its address.',
  action: 'Key of the action that a delivery starts; either this or flow.',
  flow: 'Key of the flow that a delivery starts; either this or action.',
  verify: 'How a delivery proves its sender.',
  'verify.scheme': 'The way in which the sender signs.',
  'verify.secret': 'Key of the variable that contains the secret, or a list of keys.',
  'verify.header': 'Of hmac: the header of the signature. Of token: the header of the token.',
  'verify.query': 'Of token: the query field of the token.',
  'verify.algorithm': 'Of hmac: the hash.',
  'verify.encoding': 'Of hmac: how the signature is written.',
  'verify.prefix': 'Of hmac: what the header has before the signature.',
  input:
    'What the target gets as its input: the body as text (the default), or the value of its JSON.',
  dedupe: 'The value by which two deliveries within 24 h count as one.',
  'dedupe.body': 'Its dotted path in the body; either this or header.',
  'dedupe.header': 'Its header; either this or body.',
  respond: 'The sender waits for the result.',
  'respond.waitS': 'Seconds for which it waits at most.',
}

const SCHEDULES = {
  key: 'Name of the schedule in its app.',
  cron: 'Five fields, @daily and the like, or @every 30m.',
  timezone: 'IANA name such as Asia/Seoul.',
  action: 'Key of the action that it runs; either this or flow.',
  flow: 'Key of the flow that it starts; either this or action.',
  input: 'Input of each job or run.',
  enabled: 'Whether it fires.',
  overlap:
    'While the former run has not ended: `allow` starts another, `skip` passes the fire time over, `queue` lets one wait.',
}

const EVENTS = {
  name: 'Name of the event.',
  action: 'Key of the action that each such event runs; either this or flow.',
  flow: 'Key of the flow that each such event starts; either this or action.',
}

/** Sentences by path; `[]` is an item of a list. */
export const MANIFEST_DESCRIPTIONS: Readonly<Record<string, string>> = {
  key: 'Key of the app, unique in its workspace.',
  name: 'What people read; without it the key.',
  actions: 'Code that jobs run.',
  ...below('actions[]', ACTIONS),
  flows: 'Steps of actions, one after another.',
  ...below('flows[]', FLOWS),
  webhooks: 'Addresses that other systems call.',
  ...below('webhooks[]', WEBHOOKS),
  schedules: 'What runs at which times.',
  ...below('schedules[]', SCHEDULES),
  events: 'What events start.',
  ...below('events[]', EVENTS),
  previews: 'What previews of branches start by themselves.',
  'previews.schedules': 'Whether their schedules fire.',
  'previews.webhooks': 'Whether their webhooks take calls.',
  'previews.events': 'Whether events start their jobs.',
}
