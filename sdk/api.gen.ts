// Made by `make generate` from the routes of internal/http. Do not edit.
import type { CallOptions } from './call-options.ts'
import type { ServerEvent } from './event-stream.ts'
import type { Json } from './mod.ts'

/** What routes take and answer, by name. */
export interface Schemas {
  Health: {
    readonly status: "ok" | "unavailable"
    readonly version: string
    readonly role: string
    readonly database: "ok" | "unavailable"
    /** what the database does with a commit: durable, it is on the disk before the answer; relaxed, a power cut may lose it */
    readonly durability?: "durable" | "relaxed"
    /** migrations: how many this node knows, and how many the database has; the database may have more while a newer svc is rolled out */
    readonly schema?: {
      readonly known: number
      readonly database: number
    }
    /** the databases of SVC_CELLS; while one is unavailable its workspaces answer 503 and all others work */
    readonly cells?: {
      readonly [key: string]: "ok" | "unavailable"
    }
    /** why the database is unavailable, and what to do */
    readonly reason?: string
    readonly isolation?: string
  }
  Error: {
    /** a sentence for a person */
    readonly error: string
    /** a word for programs */
    readonly code: string
    readonly request_id: string
    readonly details?: readonly {
      readonly path: string
      readonly message: string
    }[]
  }
  ClientConfig: {
    readonly version: string
    /** 0: ended jobs are kept; for display */
    readonly job_retention_days: number
    /** largest JSON request body */
    readonly max_body_bytes: number
    /** whether people may sign in by an OpenID Connect provider */
    readonly oidc: boolean
    readonly password_login: boolean
  }
  JobAccepted: {
    readonly job_id: string
  }
  JobFinished: Schemas['JobResult'] & {
    readonly job_id: string
  }
  JobResult: {
    readonly status: "success" | "failure" | "canceled"
    readonly result: Json
  }
  JobPending: {
    readonly job_id: string
    readonly status: "pending"
  }
  Operation: {
    readonly id: string
    /** what it does to each job */
    readonly kind: "cancel" | "replay"
    /** failed: it could do nothing to any of its jobs */
    readonly status: "running" | "completed" | "failed"
    /** a person stopped it: the jobs that neither `done` nor `failed` counts are left */
    readonly stopped: boolean
    /** jobs that matched when it was accepted */
    readonly matched: number
    readonly done: number
    /** jobs to which it could not do it */
    readonly failed: number
    readonly created_by: string
    readonly created_at: string
    readonly completed_at: string | null
  }
  DeliveryAccepted: {
    /** of a webhook that names an action */
    readonly job_id?: string
    /** of a webhook that names a flow */
    readonly flow_run_id?: string
  }
  DeliveryFailed: Schemas['Error'] & {
    /** of a webhook that names an action */
    readonly job_id?: string
    /** of a webhook that names a flow */
    readonly flow_run_id?: string
  }
  McpMessage: {
    readonly jsonrpc: "2.0"
    readonly method?: string
    readonly [key: string]: unknown
  }
  Webhook: {
    readonly app: string
    readonly key: string
    /** for the sender */
    readonly url: string
    /** what a delivery starts, as `app/key` */
    readonly target: string
    readonly target_kind: "action" | "flow"
    readonly scheme: "stripe" | "github" | "slack" | "hmac" | "token" | "none"
    readonly last_received_at: string | null
    /** HTTP status of the last answer, refusals included */
    readonly last_status: number | null
    /** whether any variable that it names has a value; null: the scheme needs none */
    readonly secret_set: boolean | null
  }
  WebhookDetail: Schemas['Webhook'] & {
    readonly secrets: readonly {
      readonly key: string
      readonly is_set: boolean
    }[]
    /** as in the manifest, with its defaults */
    readonly definition: Json
    /** with whose permissions its jobs run */
    readonly deployed_by: string
  }
  WebhookDelivery: {
    readonly id: string
    readonly received_at: string
    /** HTTP status of the answer */
    readonly status: number
    /** why it started nothing; `duplicate`: an earlier one has the same value */
    readonly reason: string | null
    readonly job_id: string | null
    readonly flow_run_id: string | null
    /** of the body */
    readonly bytes: number
  }
  Job: {
    readonly id: string
    readonly job_id: string
    readonly status: "queued" | "running" | "success" | "failure" | "canceled"
    readonly app: string
    readonly action: string
    readonly tag: string
    readonly priority: number
    /** 0 until a worker first claims the job */
    readonly attempt: number
    readonly max_attempts: number
    readonly trigger_kind: "api" | "webhook" | "schedule" | "job" | "function" | "event" | "public" | "flow" | "error_handler"
    readonly created_by: string
    /** what the id in created_by means: the name of a customer, the expression of a schedule */
    readonly created_by_name?: string
    readonly permissioned_as: string
    readonly commit: string
    readonly entrypoint: string
    readonly worker: string | null
    readonly created_at: string
    readonly scheduled_for: string
    /** by when it must start, or it is canceled; null without `startTimeoutS` of its action */
    readonly start_by: string | null
    readonly started_at: string | null
    readonly completed_at: string | null
    readonly duration_ms: number | null
    /** only of jobs that a customer key started */
    readonly customer_id?: string
    readonly flow_run_id?: string
    /** the flow of that run */
    readonly flow?: string
    readonly flow_step?: string
    /** what the job has shown by ctx.progress */
    readonly progress?: {
      readonly fraction: number
      readonly note: string | null
    }
    /** what a suspended job waits for; null for any other */
    readonly suspended: {
      readonly kind: "sleep" | "event" | "job"
      /** of the durable step */
      readonly name: string
      /** when it is over at the latest; null for a called job */
      readonly until: string | null
    } | null
    /** the job that it replays */
    readonly replay_of?: string
    /** when the failure was dismissed */
    readonly dismissed_at?: string
    readonly dismissed_by?: string
    /** by `labels` of its action */
    readonly labels: readonly string[]
    /** only in lists, of a failure: with the first line of its message, cut at 300 characters */
    readonly error_summary?: {
      readonly name: string
      readonly message: string
    }
  }
  FoldedJob: {
    /** of the job or the run */
    readonly id: string
    readonly created_at: string
    readonly job?: Schemas['Job']
    readonly flow_run?: Schemas['FlowRun']
    /** jobs of the run, counted up to 1000; 1 for a job */
    readonly jobs: number
  }
  FlowRun: {
    readonly id: string
    readonly flow_run_id: string
    readonly app: string
    readonly flow: string
    readonly status: "running" | "waiting_approval" | "completed" | "failed" | "canceled"
    readonly trigger_kind: "api" | "webhook" | "schedule" | "job" | "function" | "event" | "public" | "subflow"
    readonly created_by: string
    /** what the id in created_by means: the name of a customer, the expression of a schedule */
    readonly created_by_name?: string
    readonly permissioned_as: string
    readonly commit: string
    /** null before a scheduled start, and once the run is over */
    readonly current_step: {
      readonly index: number
      readonly key: string
    } | null
    /** when the run starts; null once it has */
    readonly scheduled_for: string | null
    /** why the run has not begun although its time has come; null once it has begun */
    readonly waiting_for: {
      readonly reason: "concurrency"
      readonly detail: string
    } | null
    /** of a subflow */
    readonly parent_run_id: string | null
    readonly restarted_from: string | null
    readonly created_at: string
    readonly completed_at: string | null
    /** when the failure was dismissed */
    readonly dismissed_at?: string
    readonly dismissed_by?: string
    /** by `labels` of its flow */
    readonly labels: readonly string[]
    /** only in lists, of a failure: with the first line of its message, cut at 300 characters */
    readonly error_summary?: {
      readonly name: string
      readonly message: string
    }
  }
  JobSummary: {
    /** without suspended jobs */
    readonly queued_count: number
    /** jobs that wait for a durable step */
    readonly suspended_count: number
    readonly running_count: number
    /** ended in success within the window */
    readonly completed_count: number
    readonly failed_count: number
    readonly canceled_count: number
    readonly by_tag: readonly {
      readonly tag: string
      readonly queued: number
      readonly running: number
    }[]
    readonly by_app: readonly {
      readonly app: string
      readonly queued: number
      readonly running: number
      readonly completed: number
      readonly failed: number
      readonly canceled: number
    }[]
    readonly recent_seconds: number
  }
  JobTimeline: {
    readonly bucket_seconds: number
    readonly buckets: readonly {
      /** when the bucket begins; the last one is not over yet */
      readonly at: string
      readonly completed: number
      readonly failed: number
      readonly canceled: number
    }[]
  }
  JobFigures: {
    readonly bucket_seconds: number
    readonly buckets: readonly {
      /** when the bucket begins; the last one is not over yet */
      readonly at: string
      /** jobs that were queued in it, at most 5000 */
      readonly runs: number
      readonly failures: number
      /** the times come from its newest jobs */
      readonly estimated: boolean
      /** it may have more jobs than were counted */
      readonly truncated: boolean
      /** in milliseconds; null where no job of the sample has one */
      readonly wait_p50_ms: number | null
      /** in milliseconds; null where no job of the sample has one */
      readonly wait_p95_ms: number | null
      /** in milliseconds; null where no job of the sample has one */
      readonly duration_p50_ms: number | null
      /** in milliseconds; null where no job of the sample has one */
      readonly duration_p95_ms: number | null
    }[]
  }
  JobDetail: Schemas['Job'] & {
    /** null until the job has ended */
    readonly result: Json
    /** only for the creator of the job and for admins */
    readonly input?: Json
    /** whose code it runs */
    readonly deployment_id: string
    /** why a queued job does not run yet; null when it runs or has ended */
    readonly waiting_for: {
      readonly reason: "worker" | "tag" | "level" | "concurrency" | "rate" | "fairness" | "quota" | "time" | "event" | "job"
      readonly detail: string
    } | null
    /** events that it waits for; only for callers who may send them */
    readonly event_waits?: readonly {
      /** name of the durable step, or key of the step of the flow */
      readonly step: string
      /** of the event */
      readonly name: string
      readonly key: string | null
      readonly until: string | null
    }[]
  }
  ResultPending: {
    readonly status: "pending"
  }
  JobAttempt: {
    readonly attempt: number
    /** worker_lost: its worker stopped answering; handed_back: its worker was stopped */
    readonly outcome: "running" | "success" | "failure" | "canceled" | "worker_lost" | "handed_back"
    readonly worker: string | null
    readonly started_at: string
    readonly ended_at: string | null
    readonly duration_ms: number | null
    /** `{name, message}`, null when there is none */
    readonly error: Json
  }
  JobStep: {
    readonly name: string
    readonly kind: "step" | "sleep" | "event" | "job"
    readonly status: "running" | "success" | "failure"
    readonly attempts: number
    readonly started_at: string
    readonly completed_at: string | null
    /** while it runs: when it is over or tried again at the latest */
    readonly until: string | null
    /** the called job */
    readonly child_job_id: string | null
    /** the called flow run */
    readonly child_flow_run_id: string | null
    /** of an event wait that ended: no event came in time */
    readonly timed_out?: boolean
    /** only for those who may see the input of the job */
    readonly result?: Json
    /** `{name, message, code?}`, for the same people */
    readonly error?: Json
  }
  LogItems: {
    readonly items: readonly {
      /** when the worker received it */
      readonly at: string
      /** log: ctx.log; stderr: console.error and warn, and errors */
      readonly stream: "log" | "stdout" | "stderr"
      readonly text: string
    }[]
  }
  CancelAnswer: {
    readonly found: boolean
    readonly completed_now: boolean
    readonly soft_canceled: boolean
    readonly already_completed: boolean
  }
  ViewToken: {
    readonly id: string
    readonly token_prefix: string
    readonly expires_at: string
    readonly revoked_at: string | null
    readonly created_by: string
    readonly created_at: string
  }
  CreatedViewToken: {
    readonly id: string
    /** shown only once */
    readonly token: string
    /** opens the job for anyone who has the link */
    readonly url: string
    readonly expires_at: string
  }
  SharedJob: {
    readonly job_id: string
    readonly status: "queued" | "running" | "success" | "failure" | "canceled"
    readonly app: string
    readonly action: string
    readonly created_at: string
    readonly started_at: string | null
    readonly completed_at: string | null
    readonly duration_ms: number | null
    /** when the link ends */
    readonly expires_at: string
  }
  Flow: {
    readonly app: string
    readonly key: string
    readonly commit: string
    readonly has_approval: boolean
    /** as in the manifest, with its defaults */
    readonly definition: Json
  }
  FlowStarted: {
    readonly flow_run_id: string
  }
  FlowFinished: Schemas['FlowStarted'] & {
    readonly status: "completed" | "failed" | "canceled"
    /** of the last step, once the run is completed */
    readonly result: Json
    /** `{name, message}` of a run that failed or was canceled */
    readonly error: Json
  }
  FlowPending: Schemas['FlowStarted'] & {
    readonly status: "pending"
  }
  FlowRunDetail: Schemas['FlowRun'] & {
    readonly input: Json
    /** of the last step, once the run is completed */
    readonly result: Json
    /** `{name, message}` of a run that failed or was canceled */
    readonly error: Json
    /** how the run will end, while undo and the failure module run; else null */
    readonly ends_as: "failed" | "canceled" | null
    readonly steps: readonly {
      readonly key: string
      readonly kind: "action" | "approval" | "branchone" | "branchall" | "forloop" | "forloop_parallel" | "subflow" | "sleep" | "event" | "undo" | "failure_module"
      readonly status: "pending" | "running" | "waiting_approval" | "success" | "failure" | "skipped" | "rejected" | "timed_out" | "canceled"
      readonly attempt: number
      readonly max_attempts: number
      readonly job_ids: readonly string[]
      /** of a subflow step */
      readonly flow_run_ids?: readonly string[]
      readonly result: Json
      readonly error: Json
      readonly started_at: string | null
      readonly completed_at: string | null
      /** until a worker took the first job */
      readonly queue_wait_ms: number | null
      /** from then to the end of the step */
      readonly execution_ms: number | null
      /** of an approval, until it was answered */
      readonly human_wait_ms: number | null
      readonly approvals?: readonly {
        readonly approver: string
        readonly decision: "approve" | "reject"
        readonly values: Json
        readonly reason: string | null
        /** session, api_token or link */
        readonly via: string
        readonly at: string
      }[]
      /** of an approval that shows something */
      readonly shown?: {
        /** null: the step has none */
        readonly title: string | null
        readonly description: string | null
        readonly show: readonly {
          readonly label: string
          readonly value: Json
        }[]
      }
      /** of a branch, without those whose jobs were deleted before it is known; `skipped`: the run went another way */
      readonly arms?: readonly {
        readonly key: string
        readonly status: "pending" | "running" | "waiting_approval" | "success" | "failure" | "skipped" | "rejected" | "timed_out" | "canceled"
      }[]
      /** of a loop that has begun */
      readonly items?: {
        /** all; after a step that ended early, those that had begun or could not begin */
        readonly total: number
        /** those that have ended */
        readonly done: number
        /** of these, those that failed or were canceled */
        readonly failed: number
      }
    }[]
    /** events that it waits for; only for callers who may send them */
    readonly event_waits?: readonly {
      /** name of the durable step, or key of the step of the flow */
      readonly step: string
      /** of the event */
      readonly name: string
      readonly key: string | null
      readonly until: string | null
    }[]
    /** the one that the run is pinned to */
    readonly definition: Json
  }
  FlowGraph: {
    readonly nodes: readonly {
      readonly id: string
      readonly kind: string
      readonly label: string
      readonly target: string | null
      readonly status?: string
    }[]
    readonly edges: readonly {
      readonly from: string
      readonly to: string
      readonly label: string | null
      readonly is_failure: boolean
    }[]
  }
  WaitingApproval: {
    readonly flow_run_id: string
    readonly app: string
    readonly flow: string
    readonly step: string
    readonly created_by: string
    /** what the id in created_by means: the name of a customer, the expression of a schedule */
    readonly created_by_name?: string
    readonly waiting_since: string
    readonly expires_at: string | null
    readonly required_events: number
    readonly approved_by: readonly string[]
    /** null: the step has none */
    readonly title: string | null
    readonly description: string | null
    readonly show: readonly {
      readonly label: string
      readonly value: Json
    }[]
    readonly resume_form: readonly {
      readonly key: string
      readonly label: string
      readonly type: "text" | "textarea" | "number" | "boolean" | "email" | "date" | "select"
      readonly required: boolean
      readonly options?: readonly string[]
    }[]
    /** whether the caller may approve it */
    readonly may_answer: boolean
  }
  SentEvent: {
    readonly event_id: string
    /** waits that were woken, and actions and flows that were started */
    readonly delivered: number
  }
  FlowLink: {
    readonly id: string
    readonly link_id: string
    readonly app: string
    readonly flow: string
    readonly token_prefix: string
    readonly max_uses: number
    readonly uses: number
    readonly public_form: readonly {
      readonly key: string
      readonly label: string
      readonly type: "text" | "textarea" | "number" | "boolean" | "email" | "date" | "select"
      readonly required: boolean
      readonly options?: readonly string[]
    }[]
    /** neither expired nor revoked nor used up */
    readonly active: boolean
    readonly expires_at: string
    readonly revoked_at: string | null
    readonly created_by: string
    readonly created_at: string
  }
  CreatedFlowLink: Schemas['FlowLink'] & {
    /** the page with the form; its token is shown only once */
    readonly url: string
    /** what the flow requires and the form does not ask for; absent if there is nothing */
    readonly warnings?: readonly {
      readonly path: string
      readonly message: string
    }[]
  }
  WorkspaceWorkers: Schemas['Workers'] & {
    /** queued jobs of this workspace that no live worker may take, at most 100 */
    readonly unserved: readonly {
      readonly job_id: string
      readonly app: string
      readonly action: string
      readonly tag: string
      readonly min_level: "none" | "runtime" | "os" | "vm"
      /** which worker is missing */
      readonly reason: string
    }[]
  }
  Workers: {
    readonly tags: readonly {
      readonly tag: string
      readonly live_workers: number
      /** jobs that could run now */
      readonly queued: number
      /** since the oldest of them was due */
      readonly oldest_queued_age_s: number | null
    }[]
    readonly workers: readonly {
      readonly name: string
      readonly group: string
      readonly tags: readonly string[]
      /** how strongly it confines jobs */
      readonly level: "none" | "runtime" | "os" | "vm"
      /** whose jobs it takes; empty: all */
      readonly workspaces: readonly string[]
      readonly running: number
      readonly concurrency: number
      readonly version: string
      readonly last_ping_at: string
    }[]
  }
  WorkerHistory: {
    readonly bucket_seconds: number
    readonly buckets: readonly {
      /** when the bucket begins; the last one is not over yet */
      readonly at: string
      /** that were queued in it, at most 5000 */
      readonly jobs: number
      /** the workers are those of its newest 500 jobs */
      readonly estimated: boolean
    }[]
    /** those with most jobs first, at most 100 */
    readonly workers: readonly {
      readonly name: string
      readonly jobs: number
      readonly failures: number
      /** when the first of its jobs started */
      readonly first_at: string
      /** when the last of its jobs ended or started */
      readonly last_at: string
      readonly per_bucket: readonly number[]
    }[]
  }
  App: {
    readonly key: string
    readonly name: string
    readonly commit: string | null
    readonly deployment_id: string | null
    readonly git_source_id: string | null
    /** the app that this preview of a branch belongs to */
    readonly preview_of: string | null
    readonly preview_branch: string | null
    readonly created_at: string
    readonly updated_at: string
  }
  AppDetail: Schemas['App'] & {
    readonly hosts: readonly Schemas['AppHost'][]
  }
  AppHost: {
    readonly host: string
    /** active: the name leads to the app */
    readonly status: "pending" | "active"
    /** where the TXT record that proves the name has to be */
    readonly txt_name: string
    /** what it has to say */
    readonly txt_value: string
  }
  Deployment: {
    readonly id: string
    /** the same */
    readonly deployment_id: string
    readonly app: string
    readonly commit: string
    readonly source: "git" | "upload" | "draft"
    readonly git_source_id: string | null
    readonly message: string | null
    readonly actions: readonly string[]
    readonly flows: readonly string[]
    readonly created_by: string
    /** what the id in created_by means: the name of a customer, the expression of a schedule */
    readonly created_by_name?: string
    readonly created_at: string
    /** the former deployment whose content was deployed again */
    readonly redeployed_from?: string
  }
  Action: {
    readonly key: string
    readonly entrypoint: string
    /** where its jobs run now */
    readonly tag: string
    readonly tag_override: string | null
    readonly timeout_s: number
    /** seconds that a canceled script has to clean up before it is killed */
    readonly cancel_grace_s: number
    readonly input_schema?: unknown
    readonly retry?: unknown
    readonly concurrency?: unknown
    readonly isolation: "fresh" | "shared"
    readonly on_worker_lost: "requeue" | "fail"
    readonly memory_mb: number | null
    /** only workers of at least this isolation level claim its jobs; null: any */
    readonly min_level: "none" | "runtime" | "os" | "vm" | null
    readonly network: readonly string[] | null
  }
  Function: {
    readonly name: string
    /** SHA-256 over the files */
    readonly hash: string
    readonly description: string
    readonly methods: readonly string[]
    readonly tags: readonly string[]
    readonly timeout_s: number
    readonly url: string
    /** by path; base64 */
    readonly files: {
      readonly [key: string]: string
    }
    readonly deployed_by: string
    readonly deployed_at: string
  }
  DeployedFunctions: {
    readonly deployed: readonly {
      readonly name: string
      readonly hash: string
    }[]
    /** unchanged */
    readonly skipped: readonly string[]
  }
  FunctionCall: {
    readonly id: string
    /** the header x-request-id of its answer */
    readonly request_id: string
    readonly method: string
    readonly status: number
    readonly duration_ms: number
    readonly error: string | null
    readonly log: string | null
    readonly at: string
  }
  Deployed: {
    readonly deployment_id: string
    readonly app: string
    readonly commit: string
    readonly actions: readonly string[]
    readonly flows: readonly string[]
    readonly functions: readonly string[]
    /** what is deployed but will fail: imports, references of flows, webhooks without a secret; absent if there are none */
    readonly warnings?: readonly {
      readonly path: string
      readonly message: string
    }[]
  }
  DeploymentPlan: Schemas['DeploymentChanges'] & {
    readonly app: string
    readonly commit: string
    /** what is deployed but will fail: imports, references of flows, webhooks without a secret; absent if there are none */
    readonly warnings?: readonly {
      readonly path: string
      readonly message: string
    }[]
  }
  DeploymentChanges: {
    readonly added: readonly {
      readonly kind: "action" | "flow" | "webhook" | "schedule" | "event" | "function"
      readonly key: string
    }[]
    readonly changed: readonly {
      readonly kind: "action" | "flow" | "webhook" | "schedule" | "event" | "function"
      readonly key: string
    }[]
    readonly removed: readonly {
      readonly kind: "action" | "flow" | "webhook" | "schedule" | "event" | "function"
      readonly key: string
    }[]
  }
  DeploymentDetail: Schemas['Deployment'] & {
    /** as it was deployed, with its defaults */
    readonly manifest: {
      readonly key: string
      readonly name: string
      readonly actions: readonly {
        readonly key: string
        readonly entrypoint: string
        readonly [key: string]: unknown
      }[]
      readonly flows: readonly {
        readonly key: string
        readonly [key: string]: unknown
      }[]
      readonly webhooks?: readonly {
        readonly key: string
        readonly [key: string]: unknown
      }[]
      readonly schedules?: readonly {
        readonly key: string
        readonly [key: string]: unknown
      }[]
      readonly events?: readonly {
        readonly name: string
        readonly [key: string]: unknown
      }[]
    }
    /** SHA-256 of the bundled code, by entry point: equal where nothing changed */
    readonly code: {
      readonly [key: string]: string
    }
  }
  DeploymentFile: {
    readonly path: string
    readonly bytes: number
    /** hex */
    readonly sha256: string
  }
  Draft: {
    readonly app: string
    readonly file_count: number
    readonly bytes: number
    readonly updated_by: string
    readonly updated_at: string
  }
  DraftFileChange: {
    readonly path: string
    readonly change: "removed" | "changed" | "added"
    /** text that runs; null for a new file, one that is not text, and one that is too large */
    readonly before: string | null
    /** text of the draft; null for a removed file, one that is not text, and one that is too large */
    readonly after: string | null
  }
  GitSource: {
    readonly id: string
    readonly name: string
    readonly url: string
    readonly branch: string | null
    readonly path: string
    readonly has_auth: boolean
    readonly auto_sync_s: number | null
    readonly last_commit: string | null
    readonly last_sync_at: string | null
    readonly last_error: string | null
    readonly created_by: string
    readonly created_at: string
  }
  Schedule: {
    readonly id: string
    readonly app_key: string
    readonly action_key: string | null
    readonly flow_key: string | null
    readonly cron: string
    readonly timezone: string
    readonly input: {
      readonly [key: string]: Json
    }
    readonly enabled: boolean
    /** while the former run has not ended */
    readonly overlap: "allow" | "skip" | "queue"
    readonly next_fire_at: string | null
    readonly last_fire_at: string | null
    /** since when next_fire_at waits for room in a full queue, or for the end of the former run */
    readonly waiting_since: string | null
    readonly last_job_id: string | null
    readonly last_flow_run_id: string | null
    /** of a schedule that was created by its key; null for others */
    readonly key: string | null
    /** app: part of app.yaml, so that only `enabled` can be changed here */
    readonly managed_by: "app" | null
    /** its key in app.yaml */
    readonly managed_key: string | null
    /** why svc switched it off */
    readonly disabled_reason: string | null
    /** whose jobs they are: permissioned_as */
    readonly created_by: string
    readonly created_at: string
    readonly updated_at: string
  }
  ScheduleRun: {
    readonly job_id?: string
    readonly flow_run_id?: string
  }
  ScheduleSlot: {
    /** when it was due */
    readonly slot: string
    readonly outcome: "fired" | "skipped" | "queued"
    readonly job_id: string | null
    readonly flow_run_id: string | null
    /** of a run of skipped slots the last */
    readonly last_slot: string | null
    /** slots in the run; counted to 1000 */
    readonly count: number
    readonly reason: string | null
    /** when it was decided */
    readonly at: string
  }
  Variable: {
    readonly key: string
    readonly secret: boolean
    /** never for secret variables */
    readonly value?: string
    readonly updated_by: string
    readonly updated_at: string
  }
  Resource: {
    readonly key: string
    readonly type: string
    readonly updated_by: string
    readonly updated_at: string
  }
  Token: {
    readonly id: string
    readonly token_prefix: string
    readonly label: string
    readonly scopes: readonly string[]
    readonly admin: boolean
    readonly email: string
    readonly expires_at: string | null
    readonly revoked_at: string | null
    readonly created_by: string
    /** the token that made it; null: a person did */
    readonly made_by: string | null
    readonly created_at: string
  }
  CreatedToken: Schemas['Token'] & {
    /** shown only once */
    readonly token: string
  }
  ApiKey: {
    readonly key_id: string
    readonly name: string
    readonly revoked_at: string | null
    readonly created_by: string
    readonly created_at: string
  }
  CreatedApiKey: Schemas['ApiKey'] & {
    /** keyId.secret, shown only once */
    readonly key: string
  }
  RelaySession: {
    /** names the session; random */
    readonly certId: string
    /** six digits */
    readonly code: string
    /** RFC 3339 */
    readonly expiresAt: string
  }
  RelayDelivery: {
    readonly status: "delivered"
    /** names the session; random */
    readonly certId: string
    /** base64 */
    readonly certDer: string
    /** base64 */
    readonly certKey: string
  }
  RelayEnded: Schemas['Error'] & {
    /** delivered: to an earlier call */
    readonly status: "delivered" | "expired" | "cancelled"
  }
  RelayUpload: {
    /** signCert.der, X.509 in DER: base64, at most 200 KB decoded */
    readonly certDer: string
    /** signPri.key: base64, at most 200 KB decoded */
    readonly certKey: string
  }
  Consumer: {
    readonly id: string
    readonly name: string
    readonly external_ref: string | null
    readonly disabled: boolean
    readonly disabled_at: string | null
    /** what its keys may run */
    readonly grants: readonly {
      readonly app: string
      readonly action: string
    }[]
    readonly created_by: string
    readonly created_at: string
    readonly updated_at: string
  }
  ConsumerKey: {
    readonly id: string
    readonly key_prefix: string
    readonly label: string
    readonly expires_at: string | null
    readonly revoked_at: string | null
    readonly created_by: string
    readonly created_at: string
  }
  CreatedConsumerKey: Schemas['ConsumerKey'] & {
    /** shown only once */
    readonly key: string
  }
  LedgerEntry: {
    readonly id: string
    readonly customer_id: string | null
    readonly app: string
    readonly action: string
    readonly job_id: string
    readonly outcome: "success" | "failure" | "canceled"
    readonly duration_ms: number
    readonly completed_at: string
  }
  CustomerUsage: {
    readonly customer_id: string
    /** null after the customer was deleted */
    readonly name: string | null
    readonly external_ref: string | null
    /** ended jobs */
    readonly runs: number
    readonly failures: number
    readonly canceled: number
    /** of all of them */
    readonly duration_ms: number
    /** those with an ended job, oldest first */
    readonly days: readonly {
      /** in UTC */
      readonly date: string
      /** ended jobs */
      readonly runs: number
      readonly failures: number
      readonly canceled: number
      /** of all of them */
      readonly duration_ms: number
    }[]
  }
  AuditEntry: {
    readonly id: string
    /** who: an e-mail address, customer:<id>, or cli */
    readonly identity: string
    /** what an id in the identity means: the name of a customer */
    readonly identity_name: string | null
    readonly credential_kind: string
    /** by which the credential is found */
    readonly credential_prefix: string | null
    /** the caller's network address */
    readonly address: string | null
    /** what: noun.participle, as token.revoked */
    readonly action: string
    /** to what: an id, a key, an e-mail address */
    readonly target: string
    /** what the id means to people; null where the target is a name, or is gone */
    readonly target_name: string | null
    readonly at: string
  }
  Billing: {
    readonly balance_won: number
    /** paid calls are refused */
    readonly suspended: boolean
    /** as this server is set */
    readonly prices: {
      /** false: calls are recorded and cost nothing */
      readonly prepaid: boolean
      /** of a registry certificate */
      readonly registry_won: number
      /** on top, for the higher accuracy */
      readonly accuracy_won: number
    }
    readonly entries: readonly Schemas['CreditEntry'][]
    readonly pagination: {
      readonly next_cursor: string | null
    }
  }
  CreditEntry: {
    readonly id: string
    readonly kind: "opening" | "credit" | "charge"
    /** negative when it was taken away */
    readonly amount_won: number
    readonly note: string | null
    /** what was called, of a charge */
    readonly route: string | null
    /** with which key, of a charge */
    readonly api_key_id: string | null
    /** in which request, of a charge */
    readonly request_id: string | null
    readonly created_at: string
  }
  WorkflowAnswer: {
    readonly id: string
    readonly status: "SUCCEEDED"
    readonly result: Schemas['LandResult'] | Schemas['BuildingResult']
  } | {
    readonly id: string
    readonly status: "FAILED"
    readonly error: string
    readonly advice: string
  }
  LandResult: {
    readonly landNumber: string | null
    /** several are joined by commas */
    readonly owner: string | null
    /** square metres */
    readonly area: string | null
    readonly usage: string | null
    /** YYYY-MM-DD */
    readonly acquisitionDate: string | null
    readonly registrationNumber: string | null
    readonly confidence: number
  }
  BuildingResult: {
    readonly address: string | null
    /** several are joined by commas */
    readonly owner: string | null
    /** square metres; of an aggregate building, the exclusive part */
    readonly buildingArea: string | null
    /** square metres of the land that the right is a share of */
    readonly groundArea: string | null
    readonly floors: number | null
    /** YYYY-MM-DD, of the first entry */
    readonly constructionDate: string | null
    readonly registrationNumber: string | null
    readonly confidence: number
  }
  WorkflowRequest: {
    readonly type: "document_parsing"
    readonly params: {
      readonly documentType: "land" | "building" | "aggregate_building"
      /** http or https: a PDF, or a JPG or PNG of at least 200 DPI; at most 10 MB, at a public address */
      readonly imageUrl: string
      /** high reads an image more than once, and costs more */
      readonly accuracy?: "standard" | "high"
    }
  }
  ParserResponse: {
    readonly document_type: "registry"
    readonly parser_version: "1.5.0"
    readonly parsed_at: string
    readonly data: {
      readonly meta: {
        readonly parser_version: "1.5.0"
        /** ISO 8601 */
        readonly parsed_at: string
        /** SHA-256 of the PDF, hexadecimal */
        readonly document_id: string | null
      }
      readonly profile: {
        readonly certificate_type: "full" | "partial"
        readonly include_cancellations: boolean
        readonly property_type: "land" | "building" | "aggregate_building"
        readonly layout_profile: string
      }
      readonly source: {
        readonly page_count: number
        readonly text_length: number
        readonly pdf_text_based: boolean
      }
      /** NNNN-YYYY-NNNNNN */
      readonly unique_number: string
      readonly property_address: string
      readonly jurisdiction: string | null
      readonly viewed_at: string | null
      readonly issued_at: string | null
      /** PNG, Base64 */
      readonly verification_image: string | null
      readonly title: {
        readonly property_type: "land"
        readonly address: string | null
        readonly land_type: string | null
        readonly land_area: string | null
        readonly land_entries: readonly {
          /** `{table}:p{page}:r{row}`, rows counted from 1 per table and page */
          readonly entry_id: string
          /** As printed, with the number before computerisation: `1 (전 2)` */
          readonly display_number: string
          readonly cause_and_other: string
          readonly is_cancelled: boolean
          readonly receipt_date: string | null
          readonly location: string
          readonly land_type: string | null
          readonly area: string | null
        }[]
      } | {
        readonly property_type: "building"
        readonly address: string | null
        readonly road_address: string | null
        readonly structure: string | null
        readonly roof_type: string | null
        /** Floors above ground */
        readonly floors: number | null
        readonly building_type: string | null
        readonly areas: readonly {
          /** The label as printed: `지하1층`, `1층`, `옥탑1층` */
          readonly floor: string
          /** Square metres */
          readonly area: number
          /** Not counted in the total floor area (`연면적제외`) */
          readonly is_excluded: boolean
        }[]
        /** Square metres */
        readonly total_floor_area: number | null
        readonly building_entries: readonly {
          /** `{table}:p{page}:r{row}`, rows counted from 1 per table and page */
          readonly entry_id: string
          /** As printed, with the number before computerisation: `1 (전 2)` */
          readonly display_number: string
          readonly cause_and_other: string
          readonly is_cancelled: boolean
          readonly receipt_date: string | null
          readonly location_or_number: string
          /** Lines of the cell, separated by line feeds */
          readonly building_detail: string
        }[]
      } | {
        readonly property_type: "aggregate_building"
        readonly address: string | null
        readonly road_address: string | null
        readonly structure: string | null
        readonly roof_type: string | null
        /** Floors above ground */
        readonly floors: number | null
        readonly building_type: string | null
        readonly areas: readonly {
          /** The label as printed: `지하1층`, `1층`, `옥탑1층` */
          readonly floor: string
          /** Square metres */
          readonly area: number
          /** Not counted in the total floor area (`연면적제외`) */
          readonly is_excluded: boolean
        }[]
        /** Square metres */
        readonly total_floor_area: number | null
        readonly building_entries: readonly {
          /** `{table}:p{page}:r{row}`, rows counted from 1 per table and page */
          readonly entry_id: string
          /** As printed, with the number before computerisation: `1 (전 2)` */
          readonly display_number: string
          readonly cause_and_other: string
          readonly is_cancelled: boolean
          readonly receipt_date: string | null
          readonly location_or_number: string
          /** Lines of the cell, separated by line feeds */
          readonly building_detail: string
        }[]
        readonly building_name: string | null
        /** Square metres */
        readonly exclusive_area: number | null
        readonly land_right_ratio: string | null
        /** Square metres of the land that the right is a share of: the denominator */
        readonly land_right_area: number | null
        readonly exclusive_part_entries: readonly {
          /** `{table}:p{page}:r{row}`, rows counted from 1 per table and page */
          readonly entry_id: string
          /** As printed, with the number before computerisation: `1 (전 2)` */
          readonly display_number: string
          readonly cause_and_other: string
          readonly is_cancelled: boolean
          readonly receipt_date: string | null
          readonly building_number: string
          readonly building_detail: string
        }[]
        readonly land_right_entries: readonly {
          /** `{table}:p{page}:r{row}`, rows counted from 1 per table and page */
          readonly entry_id: string
          /** As printed, with the number before computerisation: `1 (전 2)` */
          readonly display_number: string
          readonly cause_and_other: string
          readonly is_cancelled: boolean
          readonly location: string
          readonly land_type: string | null
          readonly area: string | null
        }[]
        readonly land_right_ratio_entries: readonly {
          /** `{table}:p{page}:r{row}`, rows counted from 1 per table and page */
          readonly entry_id: string
          /** As printed, with the number before computerisation: `1 (전 2)` */
          readonly display_number: string
          readonly cause_and_other: string
          readonly is_cancelled: boolean
          readonly land_right_type: string | null
          readonly land_right_ratio: string | null
        }[]
      }
      readonly section_a: readonly {
        /** `{gap|eul}:p{page}:r{row}` */
        readonly entry_id: string
        readonly rank_number: string
        readonly previous_rank: string | null
        readonly purpose: {
          /** As printed; the purposes of a compound are separated by line feeds */
          readonly raw: string
          /** Without blanks */
          readonly normalized: string
          readonly right_type: "소유권이전" | "소유권보존" | "근저당권" | "임차권" | "전세권" | "지상권" | "지역권" | "가등기" | "압류" | "가압류" | "경매" | "신탁" | "가처분" | "등기명의인표시변경" | "부기등기" | "미분류"
          readonly action_type: "설정" | "이전" | "일부이전" | "변경" | "경정" | "말소" | "부기"
          /** The rank it is about; several are joined by commas: `4,5,6` */
          readonly target_rank: string | null
          /** Section B only: the kind of right it is about */
          readonly target_type: string | null
          /** Section A only: whose share it is about */
          readonly target_owner: string | null
          readonly sub_purposes: readonly {
            /** As printed; the purposes of a compound are separated by line feeds */
            readonly raw: string
            /** Without blanks */
            readonly normalized: string
            readonly right_type: "소유권이전" | "소유권보존" | "근저당권" | "임차권" | "전세권" | "지상권" | "지역권" | "가등기" | "압류" | "가압류" | "경매" | "신탁" | "가처분" | "등기명의인표시변경" | "부기등기" | "미분류"
            readonly action_type: "설정" | "이전" | "일부이전" | "변경" | "경정" | "말소" | "부기"
            /** The rank it is about; several are joined by commas: `4,5,6` */
            readonly target_rank: string | null
            /** Section B only: the kind of right it is about */
            readonly target_type: string | null
            /** Section A only: whose share it is about */
            readonly target_owner: string | null
            /** Always empty: purposes nest once */
            readonly sub_purposes: readonly unknown[]
          }[]
        }
        readonly receipt: {
          readonly date: string
          readonly number: string
        }
        readonly cause: {
          readonly text: string
          readonly date: string | null
        }
        readonly content: {
          readonly persons: readonly {
            readonly name: string
            readonly role: "소유자" | "공유자" | "수탁자" | "채무자" | "근저당권자" | "전세권자" | "임차인" | "지상권자" | "채권자" | "권리자"
            readonly resident_number: string | null
            readonly address: string | null
            readonly share: string | null
          }[]
          readonly amounts: readonly {
            readonly type: "채권최고액" | "채권액" | "보증금" | "차임" | "청구금액" | "거래가액"
            /** Won */
            readonly value: number
            readonly raw: string
          }[]
          readonly shares: readonly {
            readonly owner_name: string
            readonly raw: string
            readonly numerator: number | null
            readonly denominator: number | null
          }[]
          readonly collateral: {
            readonly list_number: string | null
            readonly items: readonly {
              readonly property_type: string
              readonly location: string
              readonly area: string | null
              readonly type: "listed" | "addition"
              readonly reference: string | null
            }[]
          } | null
          readonly term: {
            readonly purpose: string | null
            readonly scope: string | null
            readonly duration: string | null
            readonly land_rent: string | null
          } | null
          readonly lease: {
            readonly contract_date: string | null
            readonly resident_registration_date: string | null
            readonly possession_start_date: string | null
            readonly fixed_date: string | null
            readonly lease_area: string | null
          } | null
          readonly protected_right: string | null
          readonly prohibition_text: string | null
          readonly trade_list_number: string | null
          readonly annotation_date: string | null
          readonly notes_raw: string | null
          readonly cancels_cause: string | null
        }
        readonly status: {
          /** The legal judgement, from the purposes */
          readonly is_cancelled: boolean
          readonly cancelled_by_rank: string | null
          readonly cancellation_date: string | null
          readonly cancellation_cause: string | null
          readonly modifications: readonly {
            readonly by_rank: string
            readonly type: "change" | "correct" | "annotate"
            readonly changed_fields_guess: readonly string[]
            readonly raw: string
          }[]
        }
        readonly provenance: {
          readonly page_no: number
          readonly bbox: readonly number[] | null
          readonly merged_from: readonly {
            readonly page: number
            readonly row: number
          }[]
          readonly is_continuation: boolean
          /** Struck through in the PDF */
          readonly is_visual_cancelled: boolean
        }
        readonly raw_text: string
        readonly confidence: number
      }[]
      readonly section_b: readonly {
        /** `{gap|eul}:p{page}:r{row}` */
        readonly entry_id: string
        readonly rank_number: string
        readonly previous_rank: string | null
        readonly purpose: {
          /** As printed; the purposes of a compound are separated by line feeds */
          readonly raw: string
          /** Without blanks */
          readonly normalized: string
          readonly right_type: "소유권이전" | "소유권보존" | "근저당권" | "임차권" | "전세권" | "지상권" | "지역권" | "가등기" | "압류" | "가압류" | "경매" | "신탁" | "가처분" | "등기명의인표시변경" | "부기등기" | "미분류"
          readonly action_type: "설정" | "이전" | "일부이전" | "변경" | "경정" | "말소" | "부기"
          /** The rank it is about; several are joined by commas: `4,5,6` */
          readonly target_rank: string | null
          /** Section B only: the kind of right it is about */
          readonly target_type: string | null
          /** Section A only: whose share it is about */
          readonly target_owner: string | null
          readonly sub_purposes: readonly {
            /** As printed; the purposes of a compound are separated by line feeds */
            readonly raw: string
            /** Without blanks */
            readonly normalized: string
            readonly right_type: "소유권이전" | "소유권보존" | "근저당권" | "임차권" | "전세권" | "지상권" | "지역권" | "가등기" | "압류" | "가압류" | "경매" | "신탁" | "가처분" | "등기명의인표시변경" | "부기등기" | "미분류"
            readonly action_type: "설정" | "이전" | "일부이전" | "변경" | "경정" | "말소" | "부기"
            /** The rank it is about; several are joined by commas: `4,5,6` */
            readonly target_rank: string | null
            /** Section B only: the kind of right it is about */
            readonly target_type: string | null
            /** Section A only: whose share it is about */
            readonly target_owner: string | null
            /** Always empty: purposes nest once */
            readonly sub_purposes: readonly unknown[]
          }[]
        }
        readonly receipt: {
          readonly date: string
          readonly number: string
        }
        readonly cause: {
          readonly text: string
          readonly date: string | null
        }
        readonly content: {
          readonly persons: readonly {
            readonly name: string
            readonly role: "소유자" | "공유자" | "수탁자" | "채무자" | "근저당권자" | "전세권자" | "임차인" | "지상권자" | "채권자" | "권리자"
            readonly resident_number: string | null
            readonly address: string | null
            readonly share: string | null
          }[]
          readonly amounts: readonly {
            readonly type: "채권최고액" | "채권액" | "보증금" | "차임" | "청구금액" | "거래가액"
            /** Won */
            readonly value: number
            readonly raw: string
          }[]
          readonly shares: readonly {
            readonly owner_name: string
            readonly raw: string
            readonly numerator: number | null
            readonly denominator: number | null
          }[]
          readonly collateral: {
            readonly list_number: string | null
            readonly items: readonly {
              readonly property_type: string
              readonly location: string
              readonly area: string | null
              readonly type: "listed" | "addition"
              readonly reference: string | null
            }[]
          } | null
          readonly term: {
            readonly purpose: string | null
            readonly scope: string | null
            readonly duration: string | null
            readonly land_rent: string | null
          } | null
          readonly lease: {
            readonly contract_date: string | null
            readonly resident_registration_date: string | null
            readonly possession_start_date: string | null
            readonly fixed_date: string | null
            readonly lease_area: string | null
          } | null
          readonly protected_right: string | null
          readonly prohibition_text: string | null
          readonly trade_list_number: string | null
          readonly annotation_date: string | null
          readonly notes_raw: string | null
          readonly cancels_cause: string | null
        }
        readonly status: {
          /** The legal judgement, from the purposes */
          readonly is_cancelled: boolean
          readonly cancelled_by_rank: string | null
          readonly cancellation_date: string | null
          readonly cancellation_cause: string | null
          readonly modifications: readonly {
            readonly by_rank: string
            readonly type: "change" | "correct" | "annotate"
            readonly changed_fields_guess: readonly string[]
            readonly raw: string
          }[]
        }
        readonly provenance: {
          readonly page_no: number
          readonly bbox: readonly number[] | null
          readonly merged_from: readonly {
            readonly page: number
            readonly row: number
          }[]
          readonly is_continuation: boolean
          /** Struck through in the PDF */
          readonly is_visual_cancelled: boolean
        }
        readonly raw_text: string
        readonly confidence: number
      }[]
      readonly trade_lists: readonly {
        readonly list_number: string
        /** Won */
        readonly trade_amount: number | null
        readonly items: readonly {
          readonly entry_id: string
          readonly serial_number: string
          readonly property_description: string
          readonly rank_number: string
          readonly registration_cause: string
          readonly correction_cause: string
        }[]
      }[]
      readonly major_summary: {
        readonly property_type: "land" | "building" | "aggregate_building"
        readonly address: string
        readonly owners: readonly {
          readonly entry_id: string
          readonly name: string
          readonly resident_number: string | null
          readonly final_share: string | null
          readonly address: string | null
          readonly rank_number: string
        }[]
        readonly rights: readonly {
          readonly entry_id: string
          readonly rank_number: string
          readonly registration_purpose: string
          readonly receipt_date: string
          readonly receipt_number: string
          readonly target_owner: string | null
          readonly creditor: string | null
          readonly max_claim_amount: number | null
          readonly bond_amount: number | null
          readonly deposit_amount: number | null
          readonly purpose: string | null
          readonly is_cancelled: boolean
        }[]
      } | null
      readonly diagnostics: {
        readonly errors: readonly {
          readonly code: string
          readonly message: string
          readonly entry_id: string | null
        }[]
        readonly warnings: readonly {
          readonly code: string
          readonly message: string
          readonly entry_id: string | null
        }[]
        readonly metrics: {
          readonly [key: string]: number
        }
        readonly sections_found: readonly string[]
        readonly rows_by_section: {
          readonly [key: string]: number
        }
        readonly pages_by_section: {
          readonly [key: string]: readonly number[]
        }
        /** Text on pages of the register that belongs to no field */
        readonly unread: readonly {
          readonly page: number
          /** `[left, top, right, bottom]` in points from the top left */
          readonly box: readonly number[]
          readonly text: string
        }[]
      }
      readonly raw_text: string
    }
    readonly confidence: {
      readonly overall: number
      readonly level: "높음" | "보통" | "낮음"
      readonly details: {
        readonly [key: string]: number
      }
    }
  }
  Workspace: {
    readonly id: string
    readonly name: string
    /** of jobs whose action names none */
    readonly default_tag: string
    /** app/action */
    readonly error_handler: string | null
    /** paid calls are refused */
    readonly suspended: boolean
    /** jobs that may run at once; 0: any number, null: the value of SVC_WORKSPACE_MAX_RUNNING */
    readonly max_running: number | null
    /** tags that its jobs may have; null: any */
    readonly allowed_tags: readonly string[] | null
    /** private destinations that its jobs may reach in addition to those of the instance */
    readonly egress_allow: readonly string[] | null
    /** which events are reported to whom; addresses of webhooks and Slack are shortened for callers without workspace:write */
    readonly notify: readonly {
      readonly on: readonly ("job_failed" | "flow_failed" | "schedule_disabled" | "approval_waiting")[]
      readonly to: {
        readonly webhook: string
        /** key of the variable that contains the signing secret */
        readonly secret?: string
      } | {
        readonly slack: string
      } | {
        readonly email: string
      }
    }[]
    /** sections that the console leaves out of its side bar */
    readonly hidden_sections: readonly ("webhooks" | "git_sources" | "drafts" | "api_keys" | "customers" | "parser" | "certificates" | "billing")[]
    readonly created_at: string
    /** the database that has it, where the instance has several; home: the first one */
    readonly cell?: string
  }
  WorkspaceUsage: {
    /** inputs, results, logs, durable steps, events, flow data, state, function logs, drafts and pushed repositories */
    readonly stored_bytes: number
    /** new work is refused beyond; null: no limit */
    readonly max_stored_bytes: number | null
    /** the figure may be a few minutes old */
    readonly measured_at: string
  }
  NotificationDelivery: {
    readonly id: string
    readonly type: "job_failed" | "flow_failed" | "schedule_disabled" | "approval_waiting" | "test"
    /** id of the job, flow run or schedule */
    readonly subject: string
    readonly target: {
      readonly kind: "webhook" | "slack" | "email"
      /** of webhooks and Slack the origin alone: paths may give access */
      readonly address: string
    }
    readonly status: "pending" | "delivered" | "failed"
    readonly attempts: number
    readonly created_at: string
    readonly next_attempt_at: string | null
    readonly ended_at: string | null
    /** HTTP status of the last attempt */
    readonly last_status: number | null
    readonly last_error: string | null
  }
  Member: {
    readonly email: string
    readonly name: string | null
    readonly role: "member" | "admin"
    readonly disabled: boolean
    readonly created_at: string
  }
  Invite: {
    readonly id: string
    readonly email: string
    readonly role: "member" | "admin"
    readonly created_by: string
    readonly created_at: string
    readonly expires_at: string
    readonly accepted_at: string | null
  }
  SignedIn: {
    readonly user: {
      readonly email: string
      readonly super_admin: boolean
    }
    readonly workspaces: readonly {
      readonly id: string
      readonly role: "member" | "admin"
    }[]
  }
  OwnSession: {
    readonly id: string
    /** from which the person signed in */
    readonly address: string | null
    /** browser and system; null where they are unknown */
    readonly device: string | null
    readonly created_at: string
    readonly expires_at: string
    /** the session of this request */
    readonly is_current: boolean
  }
  TwoFactor: {
    readonly enabled: boolean
    /** null while it is off */
    readonly recovery_codes_left: number | null
    /** false for an account that only signs in by a provider: it cannot turn this on */
    readonly has_password: boolean
  }
  User: {
    readonly email: string
    readonly super_admin: boolean
    readonly disabled: boolean
    /** the workspace whose invite made the account; null: an operator made it */
    readonly invited_by: string | null
  }
}

/** The routes by method and path. */
export interface Operations {
  get: {
    /** Whether this node can work. Needs no credential. */
    '/healthz': {
      args: [options?: CallOptions]
      answer: Schemas['Health']
    }
    /** Prometheus metrics, for callers on this machine or with SVC_METRICS_TOKEN. Needs no credential. */
    '/metrics': {
      args: [options?: CallOptions]
      answer: string
    }
    /** Public settings for clients. Needs no credential. */
    '/api/config': {
      args: [options?: CallOptions]
      answer: Schemas['ClientConfig']
    }
    /** Operations on many jobs, newest first; members see their own. Needs the scope `jobs:run`. */
    '/operations': {
      args: [options?: {
        query?: {
          /** rows of a page, 1 to 500; default 50 */
          limit?: number | undefined
          /** `next_cursor` of the page before; without it the first page */
          cursor?: string | number | undefined
        }
      } & CallOptions]
      answer: {
        readonly items: readonly Schemas['Operation'][]
        readonly pagination: {
          readonly next_cursor: string | null
        }
      }
    }
    /** How far an operation on many jobs is. Needs the scope `jobs:run`. */
    '/operations/{id}': {
      args: [options: {
        params: {
          id: string
        }
      } & CallOptions]
      answer: Schemas['Operation']
    }
    /** Webhooks of the deployed apps, by app and key. Needs the scope `apps:read`. */
    '/webhooks': {
      args: [options?: {
        query?: {
          /** rows of a page, 1 to 500; default 50 */
          limit?: number | undefined
          /** `next_cursor` of the page before; without it the first page */
          cursor?: string | number | undefined
        }
      } & CallOptions]
      answer: {
        readonly items: readonly Schemas['Webhook'][]
        readonly pagination: {
          readonly next_cursor: string | null
        }
      }
    }
    /** A webhook, and which of its variables are set. Needs the scope `apps:read`. */
    '/webhooks/{app}/{key}': {
      args: [options: {
        params: {
          app: string
          key: string
        }
      } & CallOptions]
      answer: Schemas['WebhookDetail']
    }
    /** The last 50 deliveries of a webhook, newest first. Needs the scope `apps:read`. */
    '/webhooks/{app}/{key}/deliveries': {
      args: [options: {
        params: {
          app: string
          key: string
        }
        query?: {
          /** rows of a page, 1 to 500; default all */
          limit?: number | undefined
          /** `next_cursor` of the page before; without it the first page */
          cursor?: string | number | undefined
        }
      } & CallOptions]
      answer: {
        readonly items: readonly Schemas['WebhookDelivery'][]
        readonly pagination: {
          readonly next_cursor: string | null
        }
      }
    }
    /** Jobs, newest first; keep the filters while paging. Needs the scope `jobs:read`. */
    '/jobs': {
      args: [options?: {
        query?: {
          /** rows of a page, 1 to 500; default 50 */
          limit?: number | undefined
          /** `next_cursor` of the page before; without it the first page */
          cursor?: string | number | undefined
          status?: "all" | "completed" | "queued" | "running" | "success" | "failure" | "canceled" | undefined
          app?: string | number | undefined
          action?: string | number | undefined
          trigger_kind?: "api" | "webhook" | "schedule" | "job" | "function" | "event" | "public" | "flow" | "error_handler" | undefined
          /** jobs that wait for a durable step */
          suspended?: "true" | "false" | undefined
          /** jobs of this flow run */
          flow_run_id?: string | undefined
          /** dismissed failures; false leaves them out */
          dismissed?: "true" | "false" | undefined
          /** jobs with this label */
          label?: string | number | undefined
          /** created at or after */
          since?: string | undefined
          /** created at or before */
          until?: string | undefined
        }
      } & CallOptions]
      answer: {
        readonly items: readonly Schemas['Job'][]
        readonly pagination: {
          readonly next_cursor: string | null
        }
      }
    }
    /** Jobs and flow runs, newest first: a run is one row in place of its jobs; without `flows:read` its jobs are rows. A page may be short and not be the last. Needs the scope `jobs:read`. */
    '/jobs/folded': {
      args: [options?: {
        query?: {
          /** rows of a page, 1 to 500; default 50 */
          limit?: number | undefined
          /** `next_cursor` of the page before; without it the first page */
          cursor?: string | number | undefined
          app?: string | number | undefined
          /** dismissed failures; false leaves them out */
          dismissed?: "true" | "false" | undefined
          /** created at or after */
          since?: string | undefined
          /** created at or before */
          until?: string | undefined
          /** of the job, or of the run */
          status?: "all" | "completed" | "running" | "success" | "failure" | "canceled" | undefined
        }
      } & CallOptions]
      answer: {
        readonly items: readonly Schemas['FoldedJob'][]
        readonly pagination: {
          readonly next_cursor: string | null
        }
      }
    }
    /** Counts of queued and running jobs, and of those that ended lately. Needs the scope `jobs:read`. */
    '/jobs/summary': {
      args: [options?: {
        query?: {
          recent_seconds?: number | undefined
        }
      } & CallOptions]
      answer: Schemas['JobSummary']
    }
    /** How many jobs ended when. Needs the scope `jobs:read`. */
    '/jobs/timeline': {
      args: [options?: {
        query?: {
          recent_seconds?: number | undefined
        }
      } & CallOptions]
      answer: Schemas['JobTimeline']
    }
    /** Runs, failures, waits and durations over time; of an app or action if one is named. Needs the scope `jobs:read`. */
    '/jobs/figures': {
      args: [options?: {
        query?: {
          recent_seconds?: number | undefined
          app?: string | number | undefined
          /** of the app */
          action?: string | number | undefined
        }
      } & CallOptions]
      answer: Schemas['JobFigures']
    }
    /** A job. Needs the scope `jobs:read`. Customer keys may call it, for granted actions and their own jobs. */
    '/jobs/{id}': {
      args: [options: {
        params: {
          id: string
        }
      } & CallOptions]
      answer: Schemas['JobDetail']
    }
    /** Result of a job. Needs the scope `jobs:read`. Customer keys may call it, for granted actions and their own jobs. */
    '/jobs/{id}/result': {
      args: [options: {
        params: {
          id: string
        }
      } & CallOptions]
      answer: Schemas['JobResult'] | Schemas['ResultPending']
    }
    /** Attempts of a job, oldest first: who ran each, when, and how it ended. Needs the scope `jobs:read`. */
    '/jobs/{id}/attempts': {
      args: [options: {
        params: {
          id: string
        }
        query?: {
          /** rows of a page, 1 to 500; default all */
          limit?: number | undefined
          /** `next_cursor` of the page before; without it the first page */
          cursor?: string | number | undefined
        }
      } & CallOptions]
      answer: {
        readonly items: readonly Schemas['JobAttempt'][]
        readonly pagination: {
          readonly next_cursor: string | null
        }
      }
    }
    /** Durable steps of a job, in their order. Needs the scope `jobs:read`. Customer keys may call it, for granted actions and their own jobs. */
    '/jobs/{id}/steps': {
      args: [options: {
        params: {
          id: string
        }
        query?: {
          /** rows of a page, 1 to 500; default 50 */
          limit?: number | undefined
          /** `next_cursor` of the page before; without it the first page */
          cursor?: string | number | undefined
        }
      } & CallOptions]
      answer: {
        readonly items: readonly Schemas['JobStep'][]
        readonly pagination: {
          readonly next_cursor: string | null
        }
      }
    }
    /** Output of a job: as text; with format=json in pieces with time and stream; as text/event-stream it follows until the job ends. Needs the scope `jobs:read`. Customer keys may call it, for granted actions and their own jobs. */
    '/jobs/{id}/logs': {
      args: [options: {
        params: {
          id: string
        }
        query?: {
          tail_bytes?: string | number | undefined
          format?: "text" | "json" | undefined
        }
      } & CallOptions]
      answer: string | AsyncIterable<ServerEvent> | Schemas['LogItems']
    }
    /** Each status and progress of a job until its end, as server-sent events. Needs the scope `jobs:read`. Customer keys may call it, for granted actions and their own jobs. */
    '/jobs/{id}/events': {
      args: [options: {
        params: {
          id: string
        }
      } & CallOptions]
      answer: AsyncIterable<ServerEvent>
    }
    /** Who shared a job, newest first; never a raw token. Needs the scope `jobs:read`. */
    '/jobs/{id}/view-tokens': {
      args: [options: {
        params: {
          id: string
        }
        query?: {
          /** rows of a page, 1 to 500; default 50 */
          limit?: number | undefined
          /** `next_cursor` of the page before; without it the first page */
          cursor?: string | number | undefined
        }
      } & CallOptions]
      answer: {
        readonly items: readonly Schemas['ViewToken'][]
        readonly pagination: {
          readonly next_cursor: string | null
        }
      }
    }
    /** A shared job, as a page for browsers (`accept: text/html`) and else as JSON. Needs no credential. */
    '/api/public/jobs/{token}': {
      args: [options: {
        params: {
          token: string
        }
      } & CallOptions]
      answer: Schemas['SharedJob']
    }
    /** Result of a shared job. Needs no credential. */
    '/api/public/jobs/{token}/result': {
      args: [options: {
        params: {
          token: string
        }
      } & CallOptions]
      answer: Schemas['JobResult'] | Schemas['ResultPending']
    }
    /** Output of a shared job so far. Needs no credential. */
    '/api/public/jobs/{token}/logs': {
      args: [options: {
        params: {
          token: string
        }
        query?: {
          tail_bytes?: string | number | undefined
        }
      } & CallOptions]
      answer: string
    }
    /** Flows of the deployed apps, by app and key. Needs the scope `flows:read`. */
    '/flows': {
      args: [options?: {
        query?: {
          /** rows of a page, 1 to 500; default 50 */
          limit?: number | undefined
          /** `next_cursor` of the page before; without it the first page */
          cursor?: string | number | undefined
          app?: string | number | undefined
        }
      } & CallOptions]
      answer: {
        readonly items: readonly Schemas['Flow'][]
        readonly pagination: {
          readonly next_cursor: string | null
        }
      }
    }
    /** A flow as it is deployed now. Needs the scope `flows:read`. */
    '/flows/{app}/{flow}': {
      args: [options: {
        params: {
          app: string
          flow: string
        }
      } & CallOptions]
      answer: Schemas['Flow']
    }
    /** Flow runs, newest first; keep the filters while paging. Needs the scope `flows:read`. */
    '/flow-runs': {
      args: [options?: {
        query?: {
          /** rows of a page, 1 to 500; default 50 */
          limit?: number | undefined
          /** `next_cursor` of the page before; without it the first page */
          cursor?: string | number | undefined
          status?: "all" | "open" | "over" | "running" | "waiting_approval" | "completed" | "failed" | "canceled" | undefined
          app?: string | number | undefined
          flow?: string | number | undefined
          /** created at or after */
          since?: string | undefined
          /** created at or before */
          until?: string | undefined
          /** dismissed failures; false leaves them out */
          dismissed?: "true" | "false" | undefined
          /** runs with this label */
          label?: string | number | undefined
        }
      } & CallOptions]
      answer: {
        readonly items: readonly Schemas['FlowRun'][]
        readonly pagination: {
          readonly next_cursor: string | null
        }
      }
    }
    /** A flow run with the state of each step. Needs the scope `flows:read`. */
    '/flow-runs/{id}': {
      args: [options: {
        params: {
          id: string
        }
      } & CallOptions]
      answer: Schemas['FlowRunDetail']
    }
    /** Each status of a flow run and of its steps until its end, as server-sent events. Needs the scope `flows:read`. */
    '/flow-runs/{id}/events': {
      args: [options: {
        params: {
          id: string
        }
      } & CallOptions]
      answer: AsyncIterable<ServerEvent>
    }
    /** A flow run as nodes and arrows, for a picture. Needs the scope `flows:read`. */
    '/flow-runs/{id}/graph': {
      args: [options: {
        params: {
          id: string
        }
      } & CallOptions]
      answer: Schemas['FlowGraph']
    }
    /** Runs that wait for an approval, newest first; mine=true: those that wait for me. Needs the scope `flows:read`. */
    '/approvals': {
      args: [options?: {
        query?: {
          /** rows of a page, 1 to 500; default 50 */
          limit?: number | undefined
          /** `next_cursor` of the page before; without it the first page */
          cursor?: string | number | undefined
          mine?: "true" | "false" | undefined
        }
      } & CallOptions]
      answer: {
        readonly items: readonly Schemas['WaitingApproval'][]
        readonly pagination: {
          readonly next_cursor: string | null
        }
      }
    }
    /** Public links, newest first; never their tokens. Needs the scope `flows:read`. */
    '/flow-links': {
      args: [options?: {
        query?: {
          /** rows of a page, 1 to 500; default 50 */
          limit?: number | undefined
          /** `next_cursor` of the page before; without it the first page */
          cursor?: string | number | undefined
        }
      } & CallOptions]
      answer: {
        readonly items: readonly Schemas['FlowLink'][]
        readonly pagination: {
          readonly next_cursor: string | null
        }
      }
    }
    /** Get the status of a run that a public link started, as a page or as JSON. Needs no credential. */
    '/api/flow/status': {
      args: [options?: {
        query?: {
          t?: string | number | undefined
        }
      } & CallOptions]
      answer: {
        readonly status: "running" | "waiting_approval" | "completed" | "failed" | "canceled"
      }
    }
    /** Live workers of this workspace, queued jobs by tag, and queued jobs that no worker may claim. Needs the scope `workers:read`. */
    '/workers': {
      args: [options?: CallOptions]
      answer: Schemas['WorkspaceWorkers']
    }
    /** Which workers ran the jobs of this workspace over time. Needs the scope `workers:read`. */
    '/workers/history': {
      args: [options?: {
        query?: {
          recent_seconds?: number | undefined
        }
      } & CallOptions]
      answer: Schemas['WorkerHistory']
    }
    /** Live workers, and what waits in all workspaces, by tag. Needs the scope `instance`. */
    '/api/admin/workers': {
      args: [options?: CallOptions]
      answer: Schemas['Workers']
    }
    /** Apps, by key. Needs the scope `apps:read`. */
    '/apps': {
      args: [options?: {
        query?: {
          /** rows of a page, 1 to 500; default 50 */
          limit?: number | undefined
          /** `next_cursor` of the page before; without it the first page */
          cursor?: string | number | undefined
        }
      } & CallOptions]
      answer: {
        readonly items: readonly Schemas['App'][]
        readonly pagination: {
          readonly next_cursor: string | null
        }
      }
    }
    /** An app, with its host names and how each is proved. Needs the scope `apps:read`. */
    '/apps/{app}': {
      args: [options: {
        params: {
          app: string
        }
      } & CallOptions]
      answer: Schemas['AppDetail']
    }
    /** Deployments of an app, newest first. Needs the scope `apps:read`. */
    '/apps/{app}/history': {
      args: [options: {
        params: {
          app: string
        }
        query?: {
          /** rows of a page, 1 to 500; default 50 */
          limit?: number | undefined
          /** `next_cursor` of the page before; without it the first page */
          cursor?: string | number | undefined
        }
      } & CallOptions]
      answer: {
        readonly items: readonly Schemas['Deployment'][]
        readonly pagination: {
          readonly next_cursor: string | null
        }
      }
    }
    /** Actions of the current deployment. Needs the scope `apps:read`. */
    '/apps/{app}/actions': {
      args: [options: {
        params: {
          app: string
        }
        query?: {
          /** rows of a page, 1 to 500; default all */
          limit?: number | undefined
          /** `next_cursor` of the page before; without it the first page */
          cursor?: string | number | undefined
        }
      } & CallOptions]
      answer: {
        readonly items: readonly Schemas['Action'][]
        readonly pagination: {
          readonly next_cursor: string | null
        }
      }
    }
    /** Names of apps, actions and functions that are deployed, found by a part of `app/key`. Needs the scope `apps:read`. */
    '/names': {
      args: [options?: {
        query?: {
          text?: string | number | undefined
          limit?: number | undefined
        }
      } & CallOptions]
      answer: {
        readonly items: readonly {
          readonly kind: "app" | "action" | "function"
          readonly app: string
          readonly key: string
        }[]
      }
    }
    /** Functions of an app, with their sources and hashes. Needs the scope `apps:read`. */
    '/apps/{app}/functions': {
      args: [options: {
        params: {
          app: string
        }
        query?: {
          /** rows of a page, 1 to 500; default all */
          limit?: number | undefined
          /** `next_cursor` of the page before; without it the first page */
          cursor?: string | number | undefined
        }
      } & CallOptions]
      answer: {
        readonly items: readonly Schemas['Function'][]
        readonly pagination: {
          readonly next_cursor: string | null
        }
      }
    }
    /** Calls of a function, newest first. Needs the scope `jobs:read`. */
    '/apps/{app}/functions/{name}/calls': {
      args: [options: {
        params: {
          app: string
          name: string
        }
        query?: {
          /** rows of a page, 1 to 500; default 50 */
          limit?: number | undefined
          /** `next_cursor` of the page before; without it the first page */
          cursor?: string | number | undefined
        }
      } & CallOptions]
      answer: {
        readonly items: readonly Schemas['FunctionCall'][]
        readonly pagination: {
          readonly next_cursor: string | null
        }
      }
    }
    /** Deployments of the workspace, newest first. Needs the scope `deployments:read`. */
    '/deployments': {
      args: [options?: {
        query?: {
          /** rows of a page, 1 to 500; default 50 */
          limit?: number | undefined
          /** `next_cursor` of the page before; without it the first page */
          cursor?: string | number | undefined
          app?: string | number | undefined
        }
      } & CallOptions]
      answer: {
        readonly items: readonly Schemas['Deployment'][]
        readonly pagination: {
          readonly next_cursor: string | null
        }
      }
    }
    /** A deployment, with the manifest and a hash of the code of each entry point. Needs the scope `deployments:read`. */
    '/deployments/{id}': {
      args: [options: {
        params: {
          id: string
        }
      } & CallOptions]
      answer: Schemas['DeploymentDetail']
    }
    /** What going back to a deployment would change of what runs now. Needs the scope `deployments:read`. */
    '/deployments/{id}/changes': {
      args: [options: {
        params: {
          id: string
        }
      } & CallOptions]
      answer: Schemas['DeploymentChanges']
    }
    /** The source files of a deployment; none of one that an older svc made. Needs the scope `apps:read`. */
    '/deployments/{id}/files': {
      args: [options: {
        params: {
          id: string
        }
      } & CallOptions]
      answer: {
        readonly items: readonly Schemas['DeploymentFile'][]
      }
    }
    /** A source file of a deployment, as it was deployed; slashes of its path stay as they are. Needs the scope `apps:read`. */
    '/deployments/{id}/files/{path}': {
      args: [options: {
        params: {
          id: string
          path: string
        }
      } & CallOptions]
      answer: string
    }
    /** Drafts by app, without their files. Needs the scope `drafts:read`. */
    '/drafts': {
      args: [options?: {
        query?: {
          /** rows of a page, 1 to 500; default 50 */
          limit?: number | undefined
          /** `next_cursor` of the page before; without it the first page */
          cursor?: string | number | undefined
        }
      } & CallOptions]
      answer: {
        readonly items: readonly Schemas['Draft'][]
        readonly pagination: {
          readonly next_cursor: string | null
        }
      }
    }
    /** A draft with its files. Needs the scope `drafts:read`. */
    '/drafts/{app}': {
      args: [options: {
        params: {
          app: string
        }
      } & CallOptions]
      answer: Schemas['Draft'] & {
        /** text by path */
        readonly files: {
          readonly [key: string]: string
        }
        /** files that are no text or belong to packages; deployed with the draft as they are */
        readonly carried: readonly string[]
      }
    }
    /** Files in which a saved draft differs from what runs, without installed packages. Needs the scope `drafts:read`. */
    '/drafts/{app}/changes': {
      args: [options: {
        params: {
          app: string
        }
      } & CallOptions]
      answer: {
        readonly items: readonly Schemas['DraftFileChange'][]
      }
    }
    /** Git sources, newest first; credentials never. Needs the scope `git_sources:read`. */
    '/git-sources': {
      args: [options?: {
        query?: {
          /** rows of a page, 1 to 500; default 50 */
          limit?: number | undefined
          /** `next_cursor` of the page before; without it the first page */
          cursor?: string | number | undefined
        }
      } & CallOptions]
      answer: {
        readonly items: readonly Schemas['GitSource'][]
        readonly pagination: {
          readonly next_cursor: string | null
        }
      }
    }
    /** A git source. Needs the scope `git_sources:read`. */
    '/git-sources/{id}': {
      args: [options: {
        params: {
          id: string
        }
      } & CallOptions]
      answer: Schemas['GitSource']
    }
    /** Schedules, newest first; a page ends early when its inputs have 2 MiB together. Needs the scope `schedules:read`. */
    '/schedules': {
      args: [options?: {
        query?: {
          /** rows of a page, 1 to 500; default 50 */
          limit?: number | undefined
          /** `next_cursor` of the page before; without it the first page */
          cursor?: string | number | undefined
          app?: string | number | undefined
          enabled?: "true" | "false" | undefined
        }
      } & CallOptions]
      answer: {
        readonly items: readonly Schemas['Schedule'][]
        readonly pagination: {
          readonly next_cursor: string | null
        }
      }
    }
    /** The schedule with this key. Needs the scope `schedules:read`. */
    '/schedules/by-key/{app}/{key}': {
      args: [options: {
        params: {
          app: string
          /** chosen by the caller, for example the id of a customer; unique in the app */
          key: string
        }
      } & CallOptions]
      answer: Schemas['Schedule']
    }
    /** A schedule. Needs the scope `schedules:read`. */
    '/schedules/{id}': {
      args: [options: {
        params: {
          id: string
        }
      } & CallOptions]
      answer: Schemas['Schedule']
    }
    /** Fire times of the schedule, newest first: fired, skipped and why, or queued while they wait. Needs the scope `schedules:read`. */
    '/schedules/{id}/slots': {
      args: [options: {
        params: {
          id: string
        }
        query?: {
          /** rows of a page, 1 to 500; default 50 */
          limit?: number | undefined
          /** `next_cursor` of the page before; without it the first page */
          cursor?: string | number | undefined
        }
      } & CallOptions]
      answer: {
        readonly items: readonly Schemas['ScheduleSlot'][]
        readonly pagination: {
          readonly next_cursor: string | null
        }
      }
    }
    /** Variables; values of secret ones never. Needs the scope `variables:read`. */
    '/variables': {
      args: [options?: {
        query?: {
          /** rows of a page, 1 to 500; default all */
          limit?: number | undefined
          /** `next_cursor` of the page before; without it the first page */
          cursor?: string | number | undefined
        }
      } & CallOptions]
      answer: {
        readonly items: readonly Schemas['Variable'][]
        readonly pagination: {
          readonly next_cursor: string | null
        }
      }
    }
    /** Resources, without their values. Needs the scope `resources:read`. */
    '/resources': {
      args: [options?: {
        query?: {
          /** rows of a page, 1 to 500; default all */
          limit?: number | undefined
          /** `next_cursor` of the page before; without it the first page */
          cursor?: string | number | undefined
        }
      } & CallOptions]
      answer: {
        readonly items: readonly Schemas['Resource'][]
        readonly pagination: {
          readonly next_cursor: string | null
        }
      }
    }
    /** A value of an app's state, null where nothing was set. Needs the scope `*`. */
    '/state': {
      args: [options: {
        query: {
          key: string | number
          /** whose state */
          app?: string | number | undefined
        }
      } & CallOptions]
      answer: {
        readonly key: string
        readonly value: Json
        /** another one after each write; null where nothing was set */
        readonly version: string | null
      }
    }
    /** Keys of an app's state, in order, 1000 a page. Needs the scope `*`. */
    '/state/keys': {
      args: [options?: {
        query?: {
          prefix?: string | number | undefined
          cursor?: string | number | undefined
          /** whose state */
          app?: string | number | undefined
        }
      } & CallOptions]
      answer: {
        readonly items: readonly string[]
        readonly pagination: {
          readonly next_cursor: string | null
        }
      }
    }
    /** All scopes, for the token creation screen. Needs no credential. */
    '/api/tokens/scopes': {
      args: [options?: CallOptions]
      answer: {
        readonly items: readonly {
          readonly scope: string
          readonly description: string
        }[]
      }
    }
    /** Tokens of the workspace, newest first. Needs the scope `tokens:read`. */
    '/tokens': {
      args: [options?: {
        query?: {
          /** rows of a page, 1 to 500; default 50 */
          limit?: number | undefined
          /** `next_cursor` of the page before; without it the first page */
          cursor?: string | number | undefined
        }
      } & CallOptions]
      answer: {
        readonly items: readonly Schemas['Token'][]
        readonly pagination: {
          readonly next_cursor: string | null
        }
      }
    }
    /** API keys of the parser and the relay, newest first. Needs the scope `*`. */
    '/api-keys': {
      args: [options?: {
        query?: {
          /** rows of a page, 1 to 500; default 50 */
          limit?: number | undefined
          /** `next_cursor` of the page before; without it the first page */
          cursor?: string | number | undefined
        }
      } & CallOptions]
      answer: {
        readonly items: readonly Schemas['ApiKey'][]
        readonly pagination: {
          readonly next_cursor: string | null
        }
      }
    }
    /** Receive the certificate, once; with wait_s as soon as it is there. Needs an API key; other credentials are refused. */
    '/v2/certificates/session/{certId}': {
      args: [options: {
        params: {
          certId: string
        }
        query?: {
          /** answer when something happens, after so many seconds at the latest */
          wait_s?: string | number | undefined
        }
      } & CallOptions]
      answer: Schemas['RelayDelivery'] | {
        readonly status: "waiting"
        /** RFC 3339 */
        readonly expiresAt: string
      }
    }
    /** Customers with their grants, newest first. Needs the scope `consumers:read`. */
    '/consumers': {
      args: [options?: {
        query?: {
          /** rows of a page, 1 to 500; default 50 */
          limit?: number | undefined
          /** `next_cursor` of the page before; without it the first page */
          cursor?: string | number | undefined
        }
      } & CallOptions]
      answer: {
        readonly items: readonly Schemas['Consumer'][]
        readonly pagination: {
          readonly next_cursor: string | null
        }
      }
    }
    /** A customer with its grants. Needs the scope `consumers:read`. */
    '/consumers/{id}': {
      args: [options: {
        params: {
          id: string
        }
      } & CallOptions]
      answer: Schemas['Consumer']
    }
    /** Keys of a customer, newest first. Needs the scope `consumers:read`. */
    '/consumers/{id}/keys': {
      args: [options: {
        params: {
          id: string
        }
        query?: {
          /** rows of a page, 1 to 500; default 50 */
          limit?: number | undefined
          /** `next_cursor` of the page before; without it the first page */
          cursor?: string | number | undefined
        }
      } & CallOptions]
      answer: {
        readonly items: readonly Schemas['ConsumerKey'][]
        readonly pagination: {
          readonly next_cursor: string | null
        }
      }
    }
    /** Billing records of ended jobs, newest first; kept when retention takes the job. Needs the scope `*`. */
    '/ledger': {
      args: [options?: {
        query?: {
          /** rows of a page, 1 to 500; default 50 */
          limit?: number | undefined
          /** `next_cursor` of the page before; without it the first page */
          cursor?: string | number | undefined
          app?: string | number | undefined
          customer_id?: string | number | undefined
          /** ended at or after */
          since?: string | undefined
          /** ended at or before */
          until?: string | undefined
        }
      } & CallOptions]
      answer: {
        readonly items: readonly Schemas['LedgerEntry'][]
        readonly pagination: {
          readonly next_cursor: string | null
        }
      }
    }
    /** What each customer used, by day, from the billing records. Needs the scope `*`. */
    '/usage': {
      args: [options?: {
        query?: {
          /** rows of a page, 1 to 500; default 50 */
          limit?: number | undefined
          /** `next_cursor` of the page before; without it the first page */
          cursor?: string | number | undefined
          customer_id?: string | undefined
          /** the first day; without it, 30 days up to the last */
          since?: string | undefined
          /** the last day, which counts as a whole; without it, today */
          until?: string | undefined
        }
      } & CallOptions]
      answer: {
        readonly items: readonly Schemas['CustomerUsage'][]
        readonly pagination: {
          readonly next_cursor: string | null
        }
        readonly since: string
        /** exclusive */
        readonly until: string
      }
    }
    /** Who did what, newest first; kept for SVC_AUDIT_RETENTION_DAYS. Needs the scope `*`. */
    '/audit': {
      args: [options?: {
        query?: {
          /** rows of a page, 1 to 500; default 50 */
          limit?: number | undefined
          /** `next_cursor` of the page before; without it the first page */
          cursor?: string | number | undefined
          /** an identity, as the entries show it */
          actor?: string | number | undefined
          action?: string | number | undefined
          since?: string | undefined
          until?: string | undefined
        }
      } & CallOptions]
      answer: {
        readonly items: readonly Schemas['AuditEntry'][]
        readonly pagination: {
          readonly next_cursor: string | null
        }
      }
    }
    /** Audit log of the instance: sign-ins, accounts, the instance key; newest first. Needs the scope `instance`. */
    '/api/admin/audit': {
      args: [options?: {
        query?: {
          /** rows of a page, 1 to 500; default 50 */
          limit?: number | undefined
          /** `next_cursor` of the page before; without it the first page */
          cursor?: string | number | undefined
          /** an identity, as the entries show it */
          actor?: string | number | undefined
          action?: string | number | undefined
          since?: string | undefined
          until?: string | undefined
        }
      } & CallOptions]
      answer: {
        readonly items: readonly Schemas['AuditEntry'][]
        readonly pagination: {
          readonly next_cursor: string | null
        }
      }
    }
    /** The balance, and what was added and charged, newest first. Needs the scope `*`. */
    '/billing': {
      args: [options?: {
        query?: {
          /** rows of a page, 1 to 500; default 50 */
          limit?: number | undefined
          /** `next_cursor` of the page before; without it the first page */
          cursor?: string | number | undefined
        }
      } & CallOptions]
      answer: Schemas['Billing']
    }
    /** JSON Schema of the parser's answer, version 1.5.0. Needs no credential. */
    '/api/schemas/registry-1.5.0.json': {
      args: [options?: CallOptions]
      answer: {
        readonly [key: string]: unknown
      }
    }
    /** The workspace and its settings. Needs the scope `workspace:read`. */
    '/workspace': {
      args: [options?: CallOptions]
      answer: Schemas['Workspace']
    }
    /** How much the workspace keeps, and how much it may keep. Needs the scope `workspace:read`. */
    '/workspace/usage': {
      args: [options?: CallOptions]
      answer: Schemas['WorkspaceUsage']
    }
    /** All workspaces, by id; those of a cell that does not answer are left out. Needs the scope `instance`. */
    '/api/admin/workspaces': {
      args: [options?: {
        query?: {
          /** rows of a page, 1 to 500; default 50 */
          limit?: number | undefined
          /** `next_cursor` of the page before; without it the first page */
          cursor?: string | number | undefined
        }
      } & CallOptions]
      answer: {
        readonly items: readonly Schemas['Workspace'][]
        readonly pagination: {
          readonly next_cursor: string | null
        }
      }
    }
    /** Notifications and how their delivery went, newest first. Needs the scope `workspace:read`. */
    '/notifications/deliveries': {
      args: [options?: {
        query?: {
          /** rows of a page, 1 to 500; default 50 */
          limit?: number | undefined
          /** `next_cursor` of the page before; without it the first page */
          cursor?: string | number | undefined
        }
      } & CallOptions]
      answer: {
        readonly items: readonly Schemas['NotificationDelivery'][]
        readonly pagination: {
          readonly next_cursor: string | null
        }
      }
    }
    /** Members, by e-mail address. Needs the scope `members:read`. */
    '/members': {
      args: [options?: {
        query?: {
          /** rows of a page, 1 to 500; default 50 */
          limit?: number | undefined
          /** `next_cursor` of the page before; without it the first page */
          cursor?: string | number | undefined
        }
      } & CallOptions]
      answer: {
        readonly items: readonly Schemas['Member'][]
        readonly pagination: {
          readonly next_cursor: string | null
        }
      }
    }
    /** Invites, newest first; their links never. Needs the scope `members:read`. */
    '/invites': {
      args: [options?: {
        query?: {
          /** rows of a page, 1 to 500; default 50 */
          limit?: number | undefined
          /** `next_cursor` of the page before; without it the first page */
          cursor?: string | number | undefined
        }
      } & CallOptions]
      answer: {
        readonly items: readonly Schemas['Invite'][]
        readonly pagination: {
          readonly next_cursor: string | null
        }
      }
    }
    /** The own sessions that are valid now, newest first; at most 100. Needs any valid credential. */
    '/api/auth/sessions': {
      args: [options?: CallOptions]
      answer: {
        readonly items: readonly Schemas['OwnSession'][]
      }
    }
    /** Whether the own account has a second factor. Needs any valid credential. */
    '/api/auth/two-factor': {
      args: [options?: CallOptions]
      answer: Schemas['TwoFactor']
    }
    /** All accounts, by e-mail address. Needs the scope `instance`. */
    '/api/admin/users': {
      args: [options?: {
        query?: {
          /** rows of a page, 1 to 500; default 50 */
          limit?: number | undefined
          /** `next_cursor` of the page before; without it the first page */
          cursor?: string | number | undefined
        }
      } & CallOptions]
      answer: {
        readonly items: readonly Schemas['User'][]
        readonly pagination: {
          readonly next_cursor: string | null
        }
      }
    }
    /** The identity and permissions of the credential. Needs any valid credential. Customer keys may call it, for granted actions and their own jobs. */
    '/api/auth/me': {
      args: [options?: CallOptions]
      answer: {
        readonly kind: "session" | "api_token" | "customer_key"
        readonly email?: string
        readonly scopes?: readonly string[]
        readonly workspace?: string
        readonly super_admin: boolean
      }
    }
    /** The workspaces that the credential may use, as in the response to a sign-in; a token needs workspace:read. Needs any valid credential. */
    '/api/auth/workspaces': {
      args: [options?: CallOptions]
      answer: {
        readonly items: readonly {
          readonly id: string
          readonly role: "member" | "admin"
        }[]
      }
    }
    /** Own identity in this workspace. Needs the scope `workspace:read`. */
    '/whoami': {
      args: [options?: CallOptions]
      answer: {
        readonly kind: "session" | "api_token" | "customer_key"
        readonly email: string
        readonly role: "member" | "admin" | null
        readonly workspace: string
        readonly scopes: readonly string[]
        /** sections that the console leaves out of its side bar */
        readonly hidden_sections: readonly ("webhooks" | "git_sources" | "drafts" | "api_keys" | "customers" | "parser" | "certificates" | "billing")[]
      }
    }
    /** This API as an OpenAPI 3.1 document. Needs no credential. */
    '/api/openapi.json': {
      args: [options?: CallOptions]
      answer: Json
    }
    /** The JSON Schema of app.yaml, for editors. Needs no credential. */
    '/api/schemas/app.json': {
      args: [options?: CallOptions]
      answer: string
    }
  }
  post: {
    /** Queue a job. Needs the scope `jobs:run`. Customer keys may call it, for granted actions and their own jobs. */
    '/jobs/run/{app}/{action}': {
      args: [options: {
        params: {
          app: string
          action: string
        }
        query?: {
          /** run on workers of this tag: one of the action’s own, or with the scope apps:write any that the workspace allows */
          tag?: string | number | undefined
          /** not before this time */
          scheduled_for?: string | undefined
          /** -100 to 100, higher first */
          priority?: string | number | undefined
        }
        body: unknown
      } & CallOptions]
      answer: Schemas['JobAccepted']
    }
    /** Queue a job and wait for its end. Needs the scope `jobs:run`. Customer keys may call it, for granted actions and their own jobs. */
    '/jobs/run/{app}/{action}/wait': {
      args: [options: {
        params: {
          app: string
          action: string
        }
        query?: {
          /** run on workers of this tag: one of the action’s own, or with the scope apps:write any that the workspace allows */
          tag?: string | number | undefined
          /** not before this time */
          scheduled_for?: string | undefined
          /** -100 to 100, higher first */
          priority?: string | number | undefined
          /** milliseconds to wait, 1 to 30000 (the default) */
          timeout_ms?: string | number | undefined
        }
        body: unknown
      } & CallOptions]
      answer: Schemas['JobFinished'] | Schemas['JobPending']
    }
    /** Queue many jobs in one commit, all or none. Needs the scope `jobs:run`. */
    '/jobs/batch': {
      args: [options: {
        body: {
          readonly items: readonly {
            readonly app: string
            readonly action: string
            /** becomes ctx.input; default {} */
            readonly input?: {
              readonly [key: string]: Json
            }
            readonly idempotency_key?: string
            readonly tag?: string
            readonly scheduled_for?: string
            readonly priority?: number
          }[]
        }
      } & CallOptions]
      answer: {
        /** in the order of the items */
        readonly job_ids: readonly string[]
        /** new jobs; an item with a used key or a debounce may make none */
        readonly queued: number
      }
    }
    /** Run an ended job again, as a new job. Needs the scope `jobs:run`. */
    '/jobs/{id}/replay': {
      args: [options: {
        params: {
          id: string
        }
        body?: {
          /** what the job ran, or what is deployed now */
          readonly commit?: "pinned" | "latest"
          /** replaces the input; an object if that is one */
          readonly input?: Json
        }
      } & CallOptions]
      answer: Schemas['JobAccepted']
    }
    /** Cancel or replay all jobs that match; members act on their own jobs. Needs the scope `jobs:run`. */
    '/jobs/bulk': {
      args: [options: {
        body: {
          readonly do: "cancel" | "replay"
          readonly filter: {
            /** only these jobs */
            readonly ids?: readonly string[]
            readonly status?: "all" | "completed" | "queued" | "running" | "success" | "failure" | "canceled"
            readonly app?: string
            readonly action?: string
            readonly trigger_kind?: "api" | "webhook" | "schedule" | "job" | "function" | "event" | "public" | "flow" | "error_handler"
            /** jobs that wait for a durable step; false: all but these */
            readonly suspended?: boolean
            /** jobs of flow runs; false: all but these */
            readonly in_flow?: boolean
            /** dismissed failures; false: all but these */
            readonly dismissed?: boolean
            /** jobs with this label */
            readonly label?: string
            /** created at or after */
            readonly since?: string
            /** created at or before */
            readonly until?: string
          }
          /** only counts what matches */
          readonly dry_run?: boolean
        }
      } & CallOptions]
      answer: {
        readonly matched: number
      } | {
        readonly operation_id: string
        readonly matched: number
      }
    }
    /** Stop an operation on many jobs; what it has done stays done. Needs the scope `jobs:run`. */
    '/operations/{id}/stop': {
      args: [options: {
        params: {
          id: string
        }
      } & CallOptions]
      answer: Schemas['Operation']
    }
    /** Deliver to a webhook of an app: any body, verified by the scheme that the webhook names. Needs no credential. */
    '/hook/{ws}/{app}/{key}': {
      args: [options: {
        params: {
          app: string
          key: string
        }
        body: string | Blob
      } & CallOptions]
      answer: Json | Schemas['DeliveryAccepted']
    }
    /** Model Context Protocol over streamable HTTP: tools are the actions and flows that apps expose. Needs any valid credential. Customer keys may call it, for granted actions and their own jobs. */
    '/mcp/{ws}': {
      args: [options: {
        body: Schemas['McpMessage'] | readonly Schemas['McpMessage'][]
      } & CallOptions]
      answer: AsyncIterable<ServerEvent> | Schemas['McpMessage'] | readonly Schemas['McpMessage'][] | undefined
    }
    /** Queue a job from an outside system: any body, delivered as text in ctx.input and ctx.trigger.raw. Needs the scope `webhooks:invoke`. */
    '/jobs/webhook/{app}/{action}': {
      args: [options: {
        params: {
          app: string
          action: string
        }
        body: string | Blob
      } & CallOptions]
      answer: Schemas['JobAccepted']
    }
    /** Start again what an accepted delivery has started; of a flow it needs flows:run too. Needs the scope `jobs:run`. */
    '/webhooks/{app}/{key}/deliveries/{id}/replay': {
      args: [options: {
        params: {
          app: string
          key: string
          id: string
        }
      } & CallOptions]
      answer: Schemas['DeliveryAccepted']
    }
    /** Requeue a queued job, under another tag if given. Needs the scope `apps:write`. */
    '/jobs/{id}/requeue': {
      args: [options: {
        params: {
          id: string
        }
        body?: {
          readonly tag?: string
        }
      } & CallOptions]
      answer: Schemas['Job']
    }
    /** Dismiss a failed job, or restore it. Needs the scope `jobs:run`. */
    '/jobs/{id}/dismiss': {
      args: [options: {
        params: {
          id: string
        }
        body?: {
          /** false restores what was dismissed */
          readonly dismissed?: boolean
        }
      } & CallOptions]
      answer: Schemas['Job']
    }
    /** Dismiss failed jobs, or restore them; members only their own. Needs the scope `jobs:run`. */
    '/jobs/dismiss': {
      args: [options: {
        body: {
          readonly ids: readonly string[]
          /** false restores what was dismissed */
          readonly dismissed?: boolean
        }
      } & CallOptions]
      answer: {
        readonly changed: number
      }
    }
    /** Cancel a job; the script of a running one has `cancel_grace_s` of its action to clean up. Needs the scope `jobs:run`. */
    '/jobs/{id}/cancel': {
      args: [options: {
        params: {
          id: string
        }
        body?: {
          readonly reason?: string
        }
      } & CallOptions]
      answer: Schemas['CancelAnswer']
    }
    /** Share a job read-only: status, result and logs as they are, without its input. Needs the scope `jobs:read`. */
    '/jobs/{id}/view-tokens': {
      args: [options: {
        params: {
          id: string
        }
        body?: {
          /** default 24 hours, at most 7 days */
          readonly expires_in_s?: number
        }
      } & CallOptions]
      answer: Schemas['CreatedViewToken']
    }
    /** Start a flow run; its result is fetched later. Needs the scope `flows:run`. */
    '/flows/run/{app}/{flow}': {
      args: [options: {
        params: {
          app: string
          flow: string
        }
        query?: {
          /** run all jobs on workers of this tag: the workspace’s default, or with the scope apps:write any that the workspace allows */
          tag?: string | number | undefined
          /** not before this time */
          scheduled_for?: string | undefined
          /** -100 to 100, higher first */
          priority?: string | number | undefined
        }
        body: unknown
      } & CallOptions]
      answer: Schemas['FlowStarted']
    }
    /** Start a flow run and wait for its end. Needs the scope `flows:run`. */
    '/flows/run/{app}/{flow}/wait': {
      args: [options: {
        params: {
          app: string
          flow: string
        }
        query?: {
          /** run all jobs on workers of this tag: the workspace’s default, or with the scope apps:write any that the workspace allows */
          tag?: string | number | undefined
          /** not before this time */
          scheduled_for?: string | undefined
          /** -100 to 100, higher first */
          priority?: string | number | undefined
          /** milliseconds to wait, 1 to 30000 (the default) */
          timeout_ms?: string | number | undefined
        }
        body: unknown
      } & CallOptions]
      answer: Schemas['FlowFinished'] | Schemas['FlowPending']
    }
    /** Start a flow run from an outside system: any body, which as text becomes the start input. Needs the scope `webhooks:invoke`. */
    '/flows/webhook/{app}/{flow}': {
      args: [options: {
        params: {
          app: string
          flow: string
        }
        body: string | Blob
      } & CallOptions]
      answer: Schemas['FlowStarted']
    }
    /** Cancel a flow run with its running jobs; a run that has ended does not change. Needs the scope `flows:run`. */
    '/flow-runs/{id}/cancel': {
      args: [options: {
        params: {
          id: string
        }
        body?: {
          readonly reason?: string
        }
      } & CallOptions]
      answer: Schemas['FlowRunDetail']
    }
    /** Dismiss a failed flow run, or restore it. Needs the scope `flows:run`. */
    '/flow-runs/{id}/dismiss': {
      args: [options: {
        params: {
          id: string
        }
        body?: {
          /** false restores what was dismissed */
          readonly dismissed?: boolean
        }
      } & CallOptions]
      answer: Schemas['FlowRunDetail']
    }
    /** Dismiss failed flow runs, or restore them; members only their own. Needs the scope `flows:run`. */
    '/flow-runs/dismiss': {
      args: [options: {
        body: {
          readonly ids: readonly string[]
          /** false restores what was dismissed */
          readonly dismissed?: boolean
        }
      } & CallOptions]
      answer: {
        readonly changed: number
      }
    }
    /** Cancel open flow runs, or replay ended ones from their first step with the same input and code; members act on their own runs. Needs the scope `flows:run`. */
    '/flow-runs/bulk': {
      args: [options: {
        body: {
          readonly do: "cancel" | "replay"
          readonly ids: readonly string[]
        }
      } & CallOptions]
      answer: {
        readonly done: number
        readonly failed: number
      }
    }
    /** Run again from a step, with what the steps before it had found. Needs the scope `flows:run`. */
    '/flow-runs/{id}/restart': {
      args: [options: {
        params: {
          id: string
        }
        body: {
          readonly from_step: string
          /** default: the commit that the run was pinned to */
          readonly commit?: "latest"
        }
      } & CallOptions]
      answer: Schemas['FlowStarted']
    }
    /** Approve the step at which a run waits. Needs the scope `flows:resume`. */
    '/flow-runs/{id}/approve': {
      args: [options: {
        params: {
          id: string
        }
        body?: {
          readonly values?: {
            readonly [key: string]: Json
          }
          /** the step that is meant; a run that waits at another one answers 409 */
          readonly step?: string
        }
      } & CallOptions]
      answer: Schemas['FlowRunDetail']
    }
    /** Reject the step at which a run waits: the run fails. Needs the scope `flows:resume`. */
    '/flow-runs/{id}/reject': {
      args: [options: {
        params: {
          id: string
        }
        body?: {
          readonly reason?: string
          /** the step that is meant; a run that waits at another one answers 409 */
          readonly step?: string
        }
      } & CallOptions]
      answer: Schemas['FlowRunDetail']
    }
    /** Send an event to all that wait for its name and key; the same id counts once in 24 h. Needs the scope `flows:resume`. */
    '/events': {
      args: [options: {
        body: {
          readonly name: string
          readonly key?: string
          readonly data?: Json
          readonly id?: string
        }
      } & CallOptions]
      answer: Schemas['SentEvent']
    }
    /** Create a public link that starts this flow through a form. Needs the scope `*`. */
    '/flow-links/{app}/{flow}': {
      args: [options: {
        params: {
          app: string
          flow: string
        }
        body?: {
          readonly max_uses?: number
          readonly expires_in_days?: number
          readonly public_form?: readonly {
            readonly key: string
            readonly label: string
            readonly type: "text" | "textarea" | "number" | "boolean" | "email" | "date" | "select"
            readonly required?: boolean
            readonly options?: readonly string[]
          }[]
        }
      } & CallOptions]
      answer: Schemas['CreatedFlowLink']
    }
    /** Start the flow of a public link: a form with a field for each key, or JSON. Needs no credential. */
    '/api/flow/run': {
      args: [options: {
        query?: {
          t?: string | number | undefined
        }
        body: {
          readonly [key: string]: Json
        }
      } & CallOptions]
      answer: {
        readonly status_url: string
      }
    }
    /** Answer an approval link: approve; a form with a field for each key, or JSON. Needs no credential. */
    '/api/flow/approve': {
      args: [options: {
        query?: {
          t?: string | number | undefined
        }
        body: {
          readonly [key: string]: Json
        }
      } & CallOptions]
      answer: {
        readonly decision: "approved" | "rejected"
      }
    }
    /** Answer an approval link: reject; a form with a field for each key, or JSON. Needs no credential. */
    '/api/flow/reject': {
      args: [options: {
        query?: {
          t?: string | number | undefined
        }
        body: {
          readonly [key: string]: Json
        }
      } & CallOptions]
      answer: {
        readonly decision: "approved" | "rejected"
      }
    }
    /** Make an empty app. Needs the scope `deployments:write`. */
    '/apps': {
      args: [options: {
        body: {
          readonly key: string
          readonly name: string
        }
      } & CallOptions]
      answer: Schemas['App']
    }
    /** Look for the TXT record of a host name; where it is there, the name is active. Needs the scope `*`. */
    '/apps/{app}/hosts/{host}/verify': {
      args: [options: {
        params: {
          app: string
          host: string
        }
      } & CallOptions]
      answer: Schemas['AppHost'] & {
        /** why it is still pending; null when it is active */
        readonly problem: string | null
      }
    }
    /** Deploy functions: multipart with their files, named functions/<name>/<path>. Needs the scope `deployments:write`. */
    '/apps/{app}/functions/deploy': {
      args: [options: {
        params: {
          app: string
        }
        query?: {
          /** also what has not changed */
          force?: "true" | "false" | undefined
        }
        body: FormData
      } & CallOptions]
      answer: Schemas['DeployedFunctions']
    }
    /** Deploy a folder: multipart with the file "bundle" (tar.gz) and an optional "message". Needs the scope `deployments:write`. */
    '/deployments': {
      args: [options: {
        body: FormData
      } & CallOptions]
      answer: Schemas['Deployed']
    }
    /** What deploying a folder would add, change and remove; nothing is deployed. Needs the scope `deployments:write`. */
    '/deployments/plan': {
      args: [options: {
        body: FormData
      } & CallOptions]
      answer: Schemas['DeploymentPlan']
    }
    /** Deploy the content of a former deployment again: code, manifest and functions. Needs the scope `deployments:write`. */
    '/deployments/{id}/redeploy': {
      args: [options: {
        params: {
          id: string
        }
        body?: {
          /** default: the former one */
          readonly message?: string
        }
      } & CallOptions]
      answer: Schemas['Deployed']
    }
    /** Make a draft of what an app runs now. Needs the scope `drafts:write`. */
    '/drafts/{app}/from-deployed': {
      args: [options: {
        params: {
          app: string
        }
      } & CallOptions]
      answer: Schemas['Draft']
    }
    /** What deploying a draft would refuse or change; nothing is deployed. Needs the scope `drafts:write`. */
    '/drafts/{app}/check': {
      args: [options: {
        params: {
          app: string
        }
      } & CallOptions]
      answer: {
        readonly faults: readonly {
          /** file, with line and column where they are known */
          readonly path: string
          readonly message: string
        }[]
        /** against what runs now; null while there are faults */
        readonly changes: {
          readonly added: readonly {
            readonly kind: "action" | "flow" | "webhook" | "schedule" | "event" | "function"
            readonly key: string
          }[]
          readonly changed: readonly {
            readonly kind: "action" | "flow" | "webhook" | "schedule" | "event" | "function"
            readonly key: string
          }[]
          readonly removed: readonly {
            readonly kind: "action" | "flow" | "webhook" | "schedule" | "event" | "function"
            readonly key: string
          }[]
        } | null
        /** what is deployed but will fail: imports, references of flows, webhooks without a secret; absent if there are none */
        readonly warnings?: readonly {
          readonly path: string
          readonly message: string
        }[]
      }
    }
    /** Deploy files of a draft as the caller’s own preview of the app, to run its actions before the draft is deployed. Needs the scope `deployments:write`. */
    '/drafts/{app}/try': {
      args: [options: {
        params: {
          app: string
        }
        body: {
          readonly files: {
            readonly [key: string]: string
          }
        }
      } & CallOptions]
      answer: {
        /** key of the preview */
        readonly app: string
        readonly deployment_id: string
        readonly actions: readonly string[]
      }
    }
    /** Deploy a draft; it stays, so that work on it goes on. Needs the scope `deployments:write`. */
    '/drafts/{app}/deploy': {
      args: [options: {
        params: {
          app: string
        }
        body?: {
          readonly message?: string
        }
      } & CallOptions]
      answer: Schemas['Deployed']
    }
    /** Add a git source. Needs the scope `git_sources:write`. */
    '/git-sources': {
      args: [options: {
        body: {
          readonly name: string
          readonly url: string
          readonly branch?: string | null
          readonly path?: string
          readonly auth?: {
            readonly type: "token"
            readonly token: string
            readonly username?: string
          } | {
            readonly type: "ssh_key"
            readonly private_key: string
            /** lines of ssh-keyscan; without them the first host key seen is trusted */
            readonly known_hosts?: string
          } | null
          readonly auto_sync_s?: number | null
        }
      } & CallOptions]
      answer: Schemas['GitSource']
    }
    /** Whether a remote answers, and its branches. Needs the scope `git_sources:write`. */
    '/git-sources/probe': {
      args: [options: {
        body: {
          readonly url: string
          readonly auth?: {
            readonly type: "token"
            readonly token: string
            readonly username?: string
          } | {
            readonly type: "ssh_key"
            readonly private_key: string
            /** lines of ssh-keyscan; without them the first host key seen is trusted */
            readonly known_hosts?: string
          } | null
        }
      } & CallOptions]
      answer: {
        readonly reachable: boolean
        readonly branches: readonly string[]
        readonly default_branch: string | null
        readonly error?: string
      }
    }
    /** Fetch the branch and deploy the apps that it holds. Needs the scope `git_sources:write`. */
    '/git-sources/{id}/sync': {
      args: [options: {
        params: {
          id: string
        }
        body?: Readonly<Record<string, unknown>>
      } & CallOptions]
      answer: {
        readonly deployments: readonly Schemas['Deployed'][]
      }
    }
    /** Run an action or a flow again and again. Needs the scope `schedules:write`. */
    '/schedules': {
      args: [options: {
        body: {
          readonly app_key: string
          /** exactly one of action_key and flow_key */
          readonly action_key?: string | null
          readonly flow_key?: string | null
          /** five fields, @daily and the like, or @every 30m */
          readonly cron: string
          /** IANA name, for example Asia/Seoul */
          readonly timezone?: string
          readonly input?: {
            readonly [key: string]: Json
          }
          readonly enabled?: boolean
          /** while the former run has not ended: start another, pass the fire time over, or let one fire time wait for its end */
          readonly overlap?: "allow" | "skip" | "queue"
        }
      } & CallOptions]
      answer: Schemas['Schedule']
    }
    /** When such a schedule would fire. Needs the scope `schedules:read`. */
    '/schedules/preview': {
      args: [options: {
        body: {
          /** five fields, @daily and the like, or @every 30m */
          readonly cron: string
          /** IANA name, for example Asia/Seoul */
          readonly timezone?: string
          readonly count?: number
          /** default now */
          readonly from?: string
        }
      } & CallOptions]
      answer: {
        readonly fire_times: readonly string[]
      }
    }
    /** Start what the schedule starts, now or for another fire time. Needs the scope `schedules:read`. */
    '/schedules/{id}/run': {
      args: [options: {
        params: {
          id: string
        }
        body?: {
          /** what `ctx.trigger.fireTime` is; default now */
          readonly fire_time?: string
        }
      } & CallOptions]
      answer: Schemas['ScheduleRun']
    }
    /** Set a variable. Needs the scope `variables:write`. */
    '/variables': {
      args: [options: {
        body: {
          readonly value: string
          readonly secret?: boolean
          readonly key: string
        }
      } & CallOptions]
      answer: Schemas['Variable']
    }
    /** Set a resource. Needs the scope `resources:write`. */
    '/resources': {
      args: [options: {
        body: {
          readonly key: string
          readonly type: string
          readonly value: Json
        }
      } & CallOptions]
      answer: Schemas['Resource']
    }
    /** Set a value of an app's state, if wanted only while it has a version. Needs the scope `*`. */
    '/state': {
      args: [options: {
        query?: {
          /** whose state */
          app?: string | number | undefined
        }
        body: {
          readonly key: string
          readonly value: Json
          /** sets only while the value has this version; null: only while there is none */
          readonly if_version?: string | null
        }
      } & CallOptions]
      answer: undefined
    }
    /** Create an API token. Needs the scope `tokens:write`. */
    '/tokens': {
      args: [options: {
        body: {
          readonly label: string
          /** omitted: denies everything */
          readonly scopes?: readonly string[]
          readonly expires_in_days?: number
          readonly admin?: boolean
        }
      } & CallOptions]
      answer: Schemas['CreatedToken']
    }
    /** Create an API key for the parser and the relay. Needs the scope `*`. */
    '/api-keys': {
      args: [options: {
        body: {
          readonly name: string
        }
      } & CallOptions]
      answer: Schemas['CreatedApiKey']
    }
    /** Open a session and get the code to show at the desktop. Needs an API key; other credentials are refused. */
    '/v2/certificates/session': {
      args: [options?: CallOptions]
      answer: Schemas['RelaySession']
    }
    /** Which session a code belongs to. Needs no credential. */
    '/v2/certificates/resolve': {
      args: [options: {
        body: {
          readonly code: string
        }
      } & CallOptions]
      answer: {
        /** names the session; random */
        readonly certId: string
      }
    }
    /** Hand a certificate and its key to the phone that waits. Needs no credential. */
    '/v2/certificates/upload/{certId}': {
      args: [options: {
        params: {
          certId: string
        }
        body: Schemas['RelayUpload']
      } & CallOptions]
      answer: {
        readonly status: "uploaded"
      }
    }
    /** Add a customer; it may run nothing until it is granted something. Needs the scope `consumers:write`. */
    '/consumers': {
      args: [options: {
        body: {
          readonly name: string
          readonly external_ref?: string | null
        }
      } & CallOptions]
      answer: Schemas['Consumer']
    }
    /** Issue a customer key. Needs the scope `consumers:write`. */
    '/consumers/{id}/keys': {
      args: [options: {
        params: {
          id: string
        }
        body: {
          readonly label: string
          readonly expires_in_days?: number
        }
      } & CallOptions]
      answer: Schemas['CreatedConsumerKey']
    }
    /** Add credit to a workspace. Needs the scope `instance`. */
    '/api/admin/workspaces/{id}/credits': {
      args: [options: {
        params: {
          id: string
        }
        body: {
          /** negative takes back */
          readonly amount_won: number
          readonly note?: string
        }
      } & CallOptions]
      answer: {
        readonly balance_won: number
        readonly entry: Schemas['CreditEntry']
      }
    }
    /** Read the registry certificate behind a URL. Needs an API key; other credentials are refused. */
    '/v2/workflows': {
      args: [options: {
        body: Schemas['WorkflowRequest']
      } & CallOptions]
      answer: AsyncIterable<ServerEvent> | Schemas['WorkflowAnswer']
    }
    /** Read a property registry certificate (PDF): titles, sections A and B, lists, summary. Needs an API key; other credentials are refused. */
    '/document-parser/registry': {
      args: [options: {
        body: FormData
      } & CallOptions]
      answer: Schemas['ParserResponse']
    }
    /** Make a workspace. Needs the scope `instance`. */
    '/api/admin/workspaces': {
      args: [options: {
        body: {
          /** A workspace id has 1 to 63 characters a-z, 0-9 and -, and begins with a letter or digit. */
          readonly id: string
          readonly name: string
          /** the database that gets it, one of SVC_CELLS; without it: the first one */
          readonly cell?: string
        }
      } & CallOptions]
      answer: Schemas['Workspace']
    }
    /** Send a test to a target; its delivery is on record. Needs the scope `workspace:write`. */
    '/notifications/test': {
      args: [options: {
        body: {
          readonly to: {
            readonly webhook: string
            /** key of the variable that contains the signing secret */
            readonly secret?: string
          } | {
            readonly slack: string
          } | {
            readonly email: string
          }
        }
      } & CallOptions]
      answer: {
        readonly id: string
      }
    }
    /** Invite an address; the person is a member after accepting the invite, signed in as that address. Needs the scope `members:write`. */
    '/members': {
      args: [options: {
        body: {
          readonly email: string
          readonly role: "member" | "admin"
        }
      } & CallOptions]
      answer: {
        readonly invite: {
          readonly id: string
          /** shown only once */
          readonly url: string
          readonly expires_at: string
        }
      }
    }
    /** Invite a person; the link is shown once, is valid for seven days and works once. Needs the scope `members:write`. */
    '/invites': {
      args: [options: {
        body: {
          readonly email: string
          readonly role: "member" | "admin"
        }
      } & CallOptions]
      answer: {
        readonly id: string
        /** shown only once */
        readonly url: string
        readonly expires_at: string
      }
    }
    /** Accept an invite, signed in as its address: `{token}`; without an account `{token, name, password}`, which makes one and sets the session cookie. Needs no credential. */
    '/api/auth/accept-invite': {
      args: [options: {
        body: {
          readonly token: string
          readonly name?: string
          readonly password?: string
        }
      } & CallOptions]
      answer: {
        readonly workspace: string
        readonly email: string
      }
    }
    /** Sign in with a password; the answer sets the cookie svc_session. Needs no credential. */
    '/api/auth/login': {
      args: [options: {
        body: {
          readonly email: string
          readonly password: string
          /** of the second factor, where the person has one */
          readonly code?: string
          /** of forms: the page to go on to */
          readonly next?: string
        }
      } & CallOptions]
      answer: Schemas['SignedIn']
    }
    /** End the credential that this request is made with. Needs any valid credential. */
    '/api/auth/logout': {
      args: [options?: CallOptions]
      answer: {
        /** where the browser ends the session at the provider too */
        readonly provider_logout_url: string
      } | undefined
    }
    /** Where the provider sends a logout token when a session there has ended (OpenID Connect Back-Channel Logout). Needs no credential. */
    '/api/auth/oidc/backchannel-logout': {
      args: [options: {
        body: {
          readonly logout_token: string
        }
      } & CallOptions]
      answer: Readonly<Record<string, unknown>>
    }
    /** Begin a device login (RFC 8628). Needs no credential. */
    '/api/auth/device/code': {
      args: [options: {
        body: {
          readonly client_id: "svc-cli"
        }
      } & CallOptions]
      answer: {
        readonly device_code: string
        readonly user_code: string
        readonly verification_uri: string
        readonly verification_uri_complete: string
        readonly expires_in: number
        readonly interval: number
      }
    }
    /** Ask whether the device login was approved; answers the token once. Needs no credential. */
    '/api/auth/device/token': {
      args: [options: {
        body: {
          readonly device_code: string
        }
      } & CallOptions]
      answer: {
        readonly access_token: string
        readonly token_type: "Bearer"
        /** seconds */
        readonly expires_in: number
        readonly workspace: string
      }
    }
    /** Approve or deny a device login, as a signed-in person: `{user_code, workspace?, approve}`. Needs any valid credential. */
    '/api/auth/device/approve': {
      args: [options: {
        body: {
          readonly user_code: string
          readonly workspace?: string
          readonly approve: boolean | "true" | "false"
        }
      } & CallOptions]
      answer: {
        readonly approved: boolean
      }
    }
    /** Get a secret for an authenticator app; it counts after it was confirmed by a code. Needs any valid credential. */
    '/api/auth/two-factor': {
      args: [options: {
        body: {
          readonly password: string
        }
      } & CallOptions]
      answer: {
        /** in base32, to be typed */
        readonly secret: string
        /** otpauth://…, for a QR code */
        readonly uri: string
      }
    }
    /** Turn the second factor on by a first code; other sessions end. Needs any valid credential. */
    '/api/auth/two-factor/confirm': {
      args: [options: {
        body: {
          readonly code: string
        }
      } & CallOptions]
      answer: {
        readonly recovery_codes: readonly string[]
      }
    }
    /** Turn the second factor off by a code of the app or a recovery code. Needs any valid credential. */
    '/api/auth/two-factor/disable': {
      args: [options: {
        body: {
          readonly code: string
        }
      } & CallOptions]
      answer: undefined
    }
    /** Change the own password, as a signed-in person; other sessions end. Needs any valid credential. */
    '/api/auth/password': {
      args: [options: {
        body: {
          readonly current: string
          readonly new: string
        }
      } & CallOptions]
      answer: undefined
    }
  }
  put: {
    /** Save the draft of an app as a whole: at most 1,000 files and 10 MiB. Needs the scope `drafts:write`. */
    '/drafts/{app}': {
      args: [options: {
        params: {
          app: string
        }
        body: {
          readonly files: {
            readonly [key: string]: string
          }
        }
      } & CallOptions]
      answer: Schemas['Draft']
    }
    /** Create the schedule with this key, or replace all its settings. Needs the scope `schedules:write`. */
    '/schedules/by-key/{app}/{key}': {
      args: [options: {
        params: {
          app: string
          /** chosen by the caller, for example the id of a customer; unique in the app */
          key: string
        }
        body: {
          /** exactly one of action_key and flow_key */
          readonly action_key?: string | null
          readonly flow_key?: string | null
          /** five fields, @daily and the like, or @every 30m */
          readonly cron: string
          /** IANA name, for example Asia/Seoul */
          readonly timezone?: string
          readonly input?: {
            readonly [key: string]: Json
          }
          readonly enabled?: boolean
          /** while the former run has not ended: start another, pass the fire time over, or let one fire time wait for its end */
          readonly overlap?: "allow" | "skip" | "queue"
        }
      } & CallOptions]
      answer: Schemas['Schedule']
    }
    /** Set a variable. Needs the scope `variables:write`. */
    '/variables/{key}': {
      args: [options: {
        params: {
          key: string
        }
        body: {
          readonly value: string
          readonly secret?: boolean
          /** if given, the key of the path */
          readonly key?: string
        }
      } & CallOptions]
      answer: Schemas['Variable']
    }
    /** Replace what a customer may run, in one step. Needs the scope `consumers:write`. */
    '/consumers/{id}/grants': {
      args: [options: {
        params: {
          id: string
        }
        body: {
          readonly grants: readonly {
            readonly app: string
            readonly action: string
          }[]
        }
      } & CallOptions]
      answer: Schemas['Consumer']
    }
  }
  patch: {
    /** Set the host names of an app. A name is pending until a TXT record proves it; one set by a super admin is active at once. Needs the scope `*`. */
    '/apps/{app}': {
      args: [options: {
        params: {
          app: string
        }
        body: {
          readonly hosts: readonly string[]
        }
      } & CallOptions]
      answer: Schemas['AppDetail']
    }
    /** Send the jobs of an action to workers of another tag. Needs the scope `apps:write`. */
    '/apps/{app}/actions/{action}': {
      args: [options: {
        params: {
          app: string
          action: string
        }
        body: {
          readonly tag_override: string | null
        }
      } & CallOptions]
      answer: Schemas['Action']
    }
    /** Change a git source; a new address needs its credentials again. Needs the scope `git_sources:write`. */
    '/git-sources/{id}': {
      args: [options: {
        params: {
          id: string
        }
        body: {
          readonly name?: string
          readonly url?: string
          readonly branch?: string | null
          readonly path?: string
          readonly auth?: {
            readonly type: "token"
            readonly token: string
            readonly username?: string
          } | {
            readonly type: "ssh_key"
            readonly private_key: string
            /** lines of ssh-keyscan; without them the first host key seen is trusted */
            readonly known_hosts?: string
          } | null
          readonly auto_sync_s?: number | null
        }
      } & CallOptions]
      answer: Schemas['GitSource']
    }
    /** Change a schedule; its next fire time is computed at once. Needs the scope `schedules:write`. */
    '/schedules/{id}': {
      args: [options: {
        params: {
          id: string
        }
        body: {
          readonly app_key?: string
          readonly action_key?: string | null
          readonly flow_key?: string | null
          /** five fields, @daily and the like, or @every 30m */
          readonly cron?: string
          /** IANA name, for example Asia/Seoul */
          readonly timezone?: string
          readonly input?: {
            readonly [key: string]: Json
          }
          readonly enabled?: boolean
          /** while the former run has not ended: start another, pass the fire time over, or let one fire time wait for its end */
          readonly overlap?: "allow" | "skip" | "queue"
        }
      } & CallOptions]
      answer: Schemas['Schedule']
    }
    /** Change a customer; `disabled` cuts its keys off at once. Needs the scope `consumers:write`. */
    '/consumers/{id}': {
      args: [options: {
        params: {
          id: string
        }
        body: {
          readonly name?: string
          readonly external_ref?: string | null
          readonly disabled?: boolean
        }
      } & CallOptions]
      answer: Schemas['Consumer']
    }
    /** Change settings; what is left out stays. Needs the scope `workspace:write`. */
    '/workspace': {
      args: [options: {
        body: {
          readonly name?: string
          readonly default_tag?: string
          readonly error_handler?: string | null
          /** which events are reported to whom; null or an empty list: none */
          readonly notify?: readonly {
            readonly on: readonly ("job_failed" | "flow_failed" | "schedule_disabled" | "approval_waiting")[]
            readonly to: {
              readonly webhook: string
              /** key of the variable that contains the signing secret */
              readonly secret?: string
            } | {
              readonly slack: string
            } | {
              readonly email: string
            }
          }[] | null
          /** sections that the console leaves out of its side bar */
          readonly hidden_sections?: readonly ("webhooks" | "git_sources" | "drafts" | "api_keys" | "customers" | "parser" | "certificates" | "billing")[]
        }
      } & CallOptions]
      answer: Schemas['Workspace']
    }
    /** Suspend or resume a workspace, or set which tags and private destinations its jobs may have and how many run at once. Needs the scope `instance`. */
    '/api/admin/workspaces/{id}': {
      args: [options: {
        params: {
          id: string
        }
        body: {
          /** refuse its paid calls from now on */
          readonly suspended?: boolean
          /** 0: any number, null: the value of SVC_WORKSPACE_MAX_RUNNING */
          readonly max_running?: number | null
          /** tags that its jobs may have; null: any. What is left out stays. */
          readonly allowed_tags?: readonly string[] | null
          /** private destinations that its jobs may reach: host[:port] or network[:port] */
          readonly egress_allow?: readonly string[] | null
        }
      } & CallOptions]
      answer: Schemas['Workspace']
    }
    /** Change the role, or disable: that ends every session and token of the member here at once. Needs the scope `members:write`. */
    '/members/{email}': {
      args: [options: {
        params: {
          email: string
        }
        body: {
          readonly role?: "member" | "admin"
          readonly disabled?: boolean
        }
      } & CallOptions]
      answer: Schemas['Member']
    }
    /** Disable an account everywhere, or enable it again. Needs the scope `instance`. */
    '/api/admin/users/{email}': {
      args: [options: {
        params: {
          email: string
        }
        body: {
          readonly disabled: boolean
        }
      } & CallOptions]
      answer: Schemas['User']
    }
  }
  delete: {
    /** Revoke every view token of a job, at once. Needs the scope `jobs:read`. */
    '/jobs/{id}/view-tokens': {
      args: [options: {
        params: {
          id: string
        }
      } & CallOptions]
      answer: undefined
    }
    /** Revoke a view token, at once. Needs the scope `jobs:read`. */
    '/jobs/{id}/view-tokens/{tid}': {
      args: [options: {
        params: {
          id: string
          tid: string
        }
      } & CallOptions]
      answer: undefined
    }
    /** Revoke a link: it stops working at once. Needs the scope `*`. */
    '/flow-links/{link_id}': {
      args: [options: {
        params: {
          link_id: string
        }
      } & CallOptions]
      answer: undefined
    }
    /** Delete an app; queued jobs keep what they pinned. Needs the scope `deployments:write`. */
    '/apps/{app}': {
      args: [options: {
        params: {
          app: string
        }
      } & CallOptions]
      answer: undefined
    }
    /** Delete a draft; what is deployed stays. Needs the scope `drafts:write`. */
    '/drafts/{app}': {
      args: [options: {
        params: {
          app: string
        }
      } & CallOptions]
      answer: undefined
    }
    /** Remove a git source; its apps stay. Needs the scope `git_sources:write`. */
    '/git-sources/{id}': {
      args: [options: {
        params: {
          id: string
        }
      } & CallOptions]
      answer: undefined
    }
    /** Delete the schedule with this key; its jobs stay. Needs the scope `schedules:write`. */
    '/schedules/by-key/{app}/{key}': {
      args: [options: {
        params: {
          app: string
          /** chosen by the caller, for example the id of a customer; unique in the app */
          key: string
        }
      } & CallOptions]
      answer: undefined
    }
    /** Delete a schedule; its jobs stay. Needs the scope `schedules:write`. */
    '/schedules/{id}': {
      args: [options: {
        params: {
          id: string
        }
      } & CallOptions]
      answer: undefined
    }
    /** Delete a variable. Needs the scope `variables:write`. */
    '/variables/{key}': {
      args: [options: {
        params: {
          key: string
        }
      } & CallOptions]
      answer: undefined
    }
    /** Delete a resource. Needs the scope `resources:write`. */
    '/resources/{key}': {
      args: [options: {
        params: {
          key: string
        }
      } & CallOptions]
      answer: undefined
    }
    /** Delete a key of an app's state. Needs the scope `*`. */
    '/state': {
      args: [options: {
        query: {
          key: string | number
          /** whose state */
          app?: string | number | undefined
        }
      } & CallOptions]
      answer: undefined
    }
    /** Revoke a token and those that it made, at once; the token that revokes stays valid, unless it revokes itself. Needs the scope `tokens:write`. */
    '/tokens/{id}': {
      args: [options: {
        params: {
          id: string
        }
      } & CallOptions]
      answer: Schemas['Token']
    }
    /** Revoke an API key, at once. Needs the scope `*`. */
    '/api-keys/{key_id}': {
      args: [options: {
        params: {
          key_id: string
        }
      } & CallOptions]
      answer: Schemas['ApiKey']
    }
    /** Cancel a session; what was uploaded is overwritten. Needs an API key; other credentials are refused. */
    '/v2/certificates/session/{certId}': {
      args: [options: {
        params: {
          certId: string
        }
      } & CallOptions]
      answer: {
        readonly status: "cancelled"
      }
    }
    /** Delete a customer with its keys and grants; its jobs and billing records stay. Needs the scope `consumers:write`. */
    '/consumers/{id}': {
      args: [options: {
        params: {
          id: string
        }
      } & CallOptions]
      answer: undefined
    }
    /** Revoke a customer key, at once. Needs the scope `consumers:write`. */
    '/consumers/{id}/keys/{key_id}': {
      args: [options: {
        params: {
          id: string
          key_id: string
        }
      } & CallOptions]
      answer: Schemas['ConsumerKey']
    }
    /** Remove a member; the account stays. Needs the scope `members:write`. */
    '/members/{email}': {
      args: [options: {
        params: {
          email: string
        }
      } & CallOptions]
      answer: undefined
    }
    /** Take an invite back. Needs the scope `members:write`. */
    '/invites/{id}': {
      args: [options: {
        params: {
          id: string
        }
      } & CallOptions]
      answer: undefined
    }
    /** End all own sessions but the one of this request. Needs any valid credential. */
    '/api/auth/sessions': {
      args: [options?: CallOptions]
      answer: undefined
    }
    /** End one of the own sessions. Needs any valid credential. */
    '/api/auth/sessions/{id}': {
      args: [options: {
        params: {
          id: string
        }
      } & CallOptions]
      answer: undefined
    }
    /** Turn the second factor of an account off, for a person who has lost it. Needs the scope `instance`. */
    '/api/admin/users/{email}/two-factor': {
      args: [options: {
        params: {
          email: string
        }
      } & CallOptions]
      answer: undefined
    }
    /** Remove an account with its sessions, tokens and memberships; the address is free again. Needs the scope `instance`. */
    '/api/admin/users/{email}': {
      args: [options: {
        params: {
          email: string
        }
      } & CallOptions]
      answer: undefined
    }
  }
}
