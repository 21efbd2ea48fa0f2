/** Samples, by operationId, that a schema cannot express: one of several alternative fields, and realistic values. */
import type { JsonValue } from '#core/json/value.ts'

export type OwnSample = Readonly<{
  /** These replace values of the path. */
  params?: Readonly<Record<string, JsonValue>>
  query?: Readonly<Record<string, JsonValue>>
  /** These fields replace the sample that the schema gives. */
  body?: Readonly<Record<string, JsonValue>>
}>

const ofApp: OwnSample = { query: { app: 'hello' } }
const byLink: OwnSample = { query: { t: 'token' } }
/** What the action `greet` of examples/hello requires. */
const input = { name: 'Ada' }

export const OWN_SAMPLES: Readonly<Record<string, OwnSample>> = {
  runJob: { body: input },
  runJobAndWait: { body: input },
  runJobBatch: { body: { items: [{ app: 'hello', action: 'greet', input }] } },
  // its body becomes a text, which greet does not take
  runJobByWebhook: { params: { action: 'collect' } },
  startFlowRun: { body: { day: '2026-12-01' } },
  startBulkOperation: { body: { do: 'cancel', filter: { app: 'hello', status: 'queued' } } },
  createSchedule: { body: { action_key: 'greet', input } },
  putSchedule: { body: { action_key: 'greet', input } },
  sendEvent: { body: { name: 'order.paid', key: 'order-7', data: { amount: 12_500 } } },
  saveDraft: { body: { files: { 'app.yaml': 'key: hello\n' } } },
  createToken: { body: { label: 'ci', scopes: ['jobs:run', 'jobs:read'] } },
  createVariable: { body: { key: 'greeting', value: 'Hi' } },
  setVariable: { body: { value: 'Hi' } },
  createResource: { body: { key: 'shop-db', type: 'postgres', value: { host: 'db.internal' } } },
  getState: ofApp,
  setState: ofApp,
  deleteState: ofApp,
  listStateKeys: ofApp,
  getFlowFormPage: byLink,
  startFlowRunByLink: byLink,
  getFlowStatusPage: byLink,
  getApprovalPage: byLink,
  getApprovePage: byLink,
  approveByLink: byLink,
  getRejectPage: byLink,
  rejectByLink: byLink,
  callMcp: { body: { jsonrpc: '2.0', id: 1, method: 'tools/list' } },
  resolveRelayCode: { body: { code: '123456' } },
  changePassword: { body: { current: 'the old password', new: 'a new and longer one' } },
  adminCreateWorkspace: { body: { id: 'sales', name: 'Sales' } },
}
