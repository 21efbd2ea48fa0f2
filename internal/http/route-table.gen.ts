// Made by `make generate` from internal/http/endpoints. Do not edit.
import type { RouteFacts } from './route.ts'

export type RouteFamily =
  | 'health'
  | 'clientConfig'
  | 'runJob'
  | 'operation'
  | 'hook'
  | 'mcp'
  | 'webhook'
  | 'jobList'
  | 'job'
  | 'viewToken'
  | 'publicJob'
  | 'flow'
  | 'flowRun'
  | 'approval'
  | 'event'
  | 'flowLink'
  | 'publicFlow'
  | 'approvalPage'
  | 'worker'
  | 'app'
  | 'name'
  | 'appHost'
  | 'function'
  | 'deployment'
  | 'draft'
  | 'gitSource'
  | 'schedule'
  | 'secret'
  | 'state'
  | 'token'
  | 'apiKey'
  | 'relay'
  | 'consumer'
  | 'record'
  | 'billing'
  | 'workflow'
  | 'documentParser'
  | 'workspace'
  | 'notification'
  | 'member'
  | 'invite'
  | 'session'
  | 'oidc'
  | 'device'
  | 'twoFactor'
  | 'user'
  | 'identity'
  | 'doc'

/** By family, in the order of the OpenAPI document. */
export const ROUTE_TABLE: readonly (readonly [RouteFamily, readonly RouteFacts[]])[] = [
  [
    "health",
    [
      {
        "operationId": "getHealth",
        "method": "get",
        "path": "/healthz",
        "admits": [
          "public"
        ],
        "tag": "Node",
        "bodyKind": "none",
        "rate": "off"
      },
      {
        "operationId": "getMetrics",
        "method": "get",
        "path": "/metrics",
        "admits": [
          "public"
        ],
        "tag": "Node",
        "bodyKind": "none",
        "rate": "off"
      }
    ]
  ],
  [
    "clientConfig",
    [
      {
        "operationId": "getClientConfig",
        "method": "get",
        "path": "/api/config",
        "admits": [
          "public"
        ],
        "tag": "Clients",
        "bodyKind": "none"
      }
    ]
  ],
  [
    "runJob",
    [
      {
        "operationId": "runJob",
        "method": "post",
        "path": "/api/w/{ws}/jobs/run/{app}/{action}",
        "admits": [
          "jobs:run",
          "customer_key"
        ],
        "tag": "Jobs",
        "bodyKind": "json",
        "rate": "run"
      },
      {
        "operationId": "runJobAndWait",
        "method": "post",
        "path": "/api/w/{ws}/jobs/run/{app}/{action}/wait",
        "admits": [
          "jobs:run",
          "customer_key"
        ],
        "tag": "Jobs",
        "bodyKind": "json",
        "rate": "run"
      }
    ]
  ],
  [
    "operation",
    [
      {
        "operationId": "runJobBatch",
        "method": "post",
        "path": "/api/w/{ws}/jobs/batch",
        "admits": [
          "jobs:run"
        ],
        "tag": "Jobs",
        "bodyKind": "json",
        "bodyLimit": 16777216,
        "rate": "run"
      },
      {
        "operationId": "replayJob",
        "method": "post",
        "path": "/api/w/{ws}/jobs/{id}/replay",
        "admits": [
          "jobs:run"
        ],
        "tag": "Jobs",
        "bodyKind": "optional_json",
        "rate": "run"
      },
      {
        "operationId": "startBulkOperation",
        "method": "post",
        "path": "/api/w/{ws}/jobs/bulk",
        "admits": [
          "jobs:run"
        ],
        "tag": "Jobs",
        "bodyKind": "json",
        "rate": "run"
      },
      {
        "operationId": "listOperations",
        "method": "get",
        "path": "/api/w/{ws}/operations",
        "admits": [
          "jobs:run"
        ],
        "tag": "Jobs",
        "bodyKind": "none"
      },
      {
        "operationId": "getOperation",
        "method": "get",
        "path": "/api/w/{ws}/operations/{id}",
        "admits": [
          "jobs:run"
        ],
        "tag": "Jobs",
        "bodyKind": "none"
      },
      {
        "operationId": "stopOperation",
        "method": "post",
        "path": "/api/w/{ws}/operations/{id}/stop",
        "admits": [
          "jobs:run"
        ],
        "tag": "Jobs",
        "bodyKind": "none"
      }
    ]
  ],
  [
    "hook",
    [
      {
        "operationId": "receiveDelivery",
        "method": "post",
        "path": "/hook/{ws}/{app}/{key}",
        "admits": [
          "public"
        ],
        "tag": "Webhooks",
        "bodyKind": "stream",
        "rate": "off"
      }
    ]
  ],
  [
    "mcp",
    [
      {
        "operationId": "callMcp",
        "method": "post",
        "path": "/mcp/{ws}",
        "admits": [
          "any",
          "customer_key"
        ],
        "tag": "Agents",
        "bodyKind": "raw"
      }
    ]
  ],
  [
    "webhook",
    [
      {
        "operationId": "runJobByWebhook",
        "method": "post",
        "path": "/api/w/{ws}/jobs/webhook/{app}/{action}",
        "admits": [
          "webhooks:invoke"
        ],
        "tag": "Jobs",
        "bodyKind": "raw",
        "rate": "run"
      },
      {
        "operationId": "listWebhooks",
        "method": "get",
        "path": "/api/w/{ws}/webhooks",
        "admits": [
          "apps:read"
        ],
        "tag": "Webhooks",
        "bodyKind": "none"
      },
      {
        "operationId": "getWebhook",
        "method": "get",
        "path": "/api/w/{ws}/webhooks/{app}/{key}",
        "admits": [
          "apps:read"
        ],
        "tag": "Webhooks",
        "bodyKind": "none"
      },
      {
        "operationId": "listWebhookDeliveries",
        "method": "get",
        "path": "/api/w/{ws}/webhooks/{app}/{key}/deliveries",
        "admits": [
          "apps:read"
        ],
        "tag": "Webhooks",
        "bodyKind": "none"
      },
      {
        "operationId": "replayWebhookDelivery",
        "method": "post",
        "path": "/api/w/{ws}/webhooks/{app}/{key}/deliveries/{id}/replay",
        "admits": [
          "jobs:run"
        ],
        "tag": "Webhooks",
        "bodyKind": "none",
        "rate": "run"
      }
    ]
  ],
  [
    "jobList",
    [
      {
        "operationId": "listJobs",
        "method": "get",
        "path": "/api/w/{ws}/jobs",
        "admits": [
          "jobs:read"
        ],
        "tag": "Jobs",
        "bodyKind": "none"
      },
      {
        "operationId": "listFoldedJobs",
        "method": "get",
        "path": "/api/w/{ws}/jobs/folded",
        "admits": [
          "jobs:read"
        ],
        "tag": "Jobs",
        "bodyKind": "none"
      },
      {
        "operationId": "getJobSummary",
        "method": "get",
        "path": "/api/w/{ws}/jobs/summary",
        "admits": [
          "jobs:read"
        ],
        "tag": "Jobs",
        "bodyKind": "none"
      },
      {
        "operationId": "getJobTimeline",
        "method": "get",
        "path": "/api/w/{ws}/jobs/timeline",
        "admits": [
          "jobs:read"
        ],
        "tag": "Jobs",
        "bodyKind": "none"
      },
      {
        "operationId": "getJobFigures",
        "method": "get",
        "path": "/api/w/{ws}/jobs/figures",
        "admits": [
          "jobs:read"
        ],
        "tag": "Jobs",
        "bodyKind": "none"
      },
      {
        "operationId": "requeueJob",
        "method": "post",
        "path": "/api/w/{ws}/jobs/{id}/requeue",
        "admits": [
          "apps:write"
        ],
        "tag": "Jobs",
        "bodyKind": "optional_json"
      },
      {
        "operationId": "dismissJob",
        "method": "post",
        "path": "/api/w/{ws}/jobs/{id}/dismiss",
        "admits": [
          "jobs:run"
        ],
        "tag": "Jobs",
        "bodyKind": "optional_json"
      },
      {
        "operationId": "dismissJobs",
        "method": "post",
        "path": "/api/w/{ws}/jobs/dismiss",
        "admits": [
          "jobs:run"
        ],
        "tag": "Jobs",
        "bodyKind": "json"
      }
    ]
  ],
  [
    "job",
    [
      {
        "operationId": "getJob",
        "method": "get",
        "path": "/api/w/{ws}/jobs/{id}",
        "admits": [
          "jobs:read",
          "customer_key"
        ],
        "tag": "Jobs",
        "bodyKind": "none"
      },
      {
        "operationId": "getJobResult",
        "method": "get",
        "path": "/api/w/{ws}/jobs/{id}/result",
        "admits": [
          "jobs:read",
          "customer_key"
        ],
        "tag": "Jobs",
        "bodyKind": "none"
      },
      {
        "operationId": "listJobAttempts",
        "method": "get",
        "path": "/api/w/{ws}/jobs/{id}/attempts",
        "admits": [
          "jobs:read"
        ],
        "tag": "Jobs",
        "bodyKind": "none"
      },
      {
        "operationId": "listJobSteps",
        "method": "get",
        "path": "/api/w/{ws}/jobs/{id}/steps",
        "admits": [
          "jobs:read",
          "customer_key"
        ],
        "tag": "Jobs",
        "bodyKind": "none"
      },
      {
        "operationId": "getJobLogs",
        "method": "get",
        "path": "/api/w/{ws}/jobs/{id}/logs",
        "admits": [
          "jobs:read",
          "customer_key"
        ],
        "tag": "Jobs",
        "bodyKind": "none"
      },
      {
        "operationId": "streamJobEvents",
        "method": "get",
        "path": "/api/w/{ws}/jobs/{id}/events",
        "admits": [
          "jobs:read",
          "customer_key"
        ],
        "tag": "Jobs",
        "bodyKind": "none"
      },
      {
        "operationId": "cancelJob",
        "method": "post",
        "path": "/api/w/{ws}/jobs/{id}/cancel",
        "admits": [
          "jobs:run"
        ],
        "tag": "Jobs",
        "bodyKind": "optional_json"
      }
    ]
  ],
  [
    "viewToken",
    [
      {
        "operationId": "listJobViewTokens",
        "method": "get",
        "path": "/api/w/{ws}/jobs/{id}/view-tokens",
        "admits": [
          "jobs:read"
        ],
        "tag": "Jobs",
        "bodyKind": "none"
      },
      {
        "operationId": "createJobViewToken",
        "method": "post",
        "path": "/api/w/{ws}/jobs/{id}/view-tokens",
        "admits": [
          "jobs:read"
        ],
        "tag": "Jobs",
        "bodyKind": "optional_json"
      },
      {
        "operationId": "revokeJobViewTokens",
        "method": "delete",
        "path": "/api/w/{ws}/jobs/{id}/view-tokens",
        "admits": [
          "jobs:read"
        ],
        "tag": "Jobs",
        "bodyKind": "none"
      },
      {
        "operationId": "revokeJobViewToken",
        "method": "delete",
        "path": "/api/w/{ws}/jobs/{id}/view-tokens/{tid}",
        "admits": [
          "jobs:read"
        ],
        "tag": "Jobs",
        "bodyKind": "none"
      }
    ]
  ],
  [
    "publicJob",
    [
      {
        "operationId": "getPublicJob",
        "method": "get",
        "path": "/api/public/jobs/{token}",
        "admits": [
          "public"
        ],
        "tag": "Shared jobs",
        "bodyKind": "none"
      },
      {
        "operationId": "getPublicJobResult",
        "method": "get",
        "path": "/api/public/jobs/{token}/result",
        "admits": [
          "public"
        ],
        "tag": "Shared jobs",
        "bodyKind": "none"
      },
      {
        "operationId": "getPublicJobLogs",
        "method": "get",
        "path": "/api/public/jobs/{token}/logs",
        "admits": [
          "public"
        ],
        "tag": "Shared jobs",
        "bodyKind": "none"
      }
    ]
  ],
  [
    "flow",
    [
      {
        "operationId": "listFlows",
        "method": "get",
        "path": "/api/w/{ws}/flows",
        "admits": [
          "flows:read"
        ],
        "tag": "Flows",
        "bodyKind": "none"
      },
      {
        "operationId": "getFlow",
        "method": "get",
        "path": "/api/w/{ws}/flows/{app}/{flow}",
        "admits": [
          "flows:read"
        ],
        "tag": "Flows",
        "bodyKind": "none"
      },
      {
        "operationId": "startFlowRun",
        "method": "post",
        "path": "/api/w/{ws}/flows/run/{app}/{flow}",
        "admits": [
          "flows:run"
        ],
        "tag": "Flows",
        "bodyKind": "json",
        "rate": "run"
      },
      {
        "operationId": "startFlowRunAndWait",
        "method": "post",
        "path": "/api/w/{ws}/flows/run/{app}/{flow}/wait",
        "admits": [
          "flows:run"
        ],
        "tag": "Flows",
        "bodyKind": "json",
        "rate": "run"
      },
      {
        "operationId": "startFlowRunByWebhook",
        "method": "post",
        "path": "/api/w/{ws}/flows/webhook/{app}/{flow}",
        "admits": [
          "webhooks:invoke"
        ],
        "tag": "Flows",
        "bodyKind": "raw",
        "rate": "run"
      }
    ]
  ],
  [
    "flowRun",
    [
      {
        "operationId": "listFlowRuns",
        "method": "get",
        "path": "/api/w/{ws}/flow-runs",
        "admits": [
          "flows:read"
        ],
        "tag": "Flows",
        "bodyKind": "none"
      },
      {
        "operationId": "getFlowRun",
        "method": "get",
        "path": "/api/w/{ws}/flow-runs/{id}",
        "admits": [
          "flows:read"
        ],
        "tag": "Flows",
        "bodyKind": "none"
      },
      {
        "operationId": "streamFlowRunEvents",
        "method": "get",
        "path": "/api/w/{ws}/flow-runs/{id}/events",
        "admits": [
          "flows:read"
        ],
        "tag": "Flows",
        "bodyKind": "none"
      },
      {
        "operationId": "getFlowRunGraph",
        "method": "get",
        "path": "/api/w/{ws}/flow-runs/{id}/graph",
        "admits": [
          "flows:read"
        ],
        "tag": "Flows",
        "bodyKind": "none"
      },
      {
        "operationId": "cancelFlowRun",
        "method": "post",
        "path": "/api/w/{ws}/flow-runs/{id}/cancel",
        "admits": [
          "flows:run"
        ],
        "tag": "Flows",
        "bodyKind": "optional_json"
      },
      {
        "operationId": "dismissFlowRun",
        "method": "post",
        "path": "/api/w/{ws}/flow-runs/{id}/dismiss",
        "admits": [
          "flows:run"
        ],
        "tag": "Flows",
        "bodyKind": "optional_json"
      },
      {
        "operationId": "dismissFlowRuns",
        "method": "post",
        "path": "/api/w/{ws}/flow-runs/dismiss",
        "admits": [
          "flows:run"
        ],
        "tag": "Flows",
        "bodyKind": "json"
      },
      {
        "operationId": "actOnFlowRuns",
        "method": "post",
        "path": "/api/w/{ws}/flow-runs/bulk",
        "admits": [
          "flows:run"
        ],
        "tag": "Flows",
        "bodyKind": "json",
        "rate": "run"
      },
      {
        "operationId": "restartFlowRun",
        "method": "post",
        "path": "/api/w/{ws}/flow-runs/{id}/restart",
        "admits": [
          "flows:run"
        ],
        "tag": "Flows",
        "bodyKind": "json",
        "rate": "run"
      }
    ]
  ],
  [
    "approval",
    [
      {
        "operationId": "listApprovals",
        "method": "get",
        "path": "/api/w/{ws}/approvals",
        "admits": [
          "flows:read"
        ],
        "tag": "Flows",
        "bodyKind": "none"
      },
      {
        "operationId": "approveFlowRun",
        "method": "post",
        "path": "/api/w/{ws}/flow-runs/{id}/approve",
        "admits": [
          "flows:resume"
        ],
        "tag": "Flows",
        "bodyKind": "optional_json"
      },
      {
        "operationId": "rejectFlowRun",
        "method": "post",
        "path": "/api/w/{ws}/flow-runs/{id}/reject",
        "admits": [
          "flows:resume"
        ],
        "tag": "Flows",
        "bodyKind": "optional_json"
      }
    ]
  ],
  [
    "event",
    [
      {
        "operationId": "sendEvent",
        "method": "post",
        "path": "/api/w/{ws}/events",
        "admits": [
          "flows:resume"
        ],
        "tag": "Flows",
        "bodyKind": "json"
      }
    ]
  ],
  [
    "flowLink",
    [
      {
        "operationId": "listFlowLinks",
        "method": "get",
        "path": "/api/w/{ws}/flow-links",
        "admits": [
          "flows:read"
        ],
        "tag": "Flows",
        "bodyKind": "none"
      },
      {
        "operationId": "createFlowLink",
        "method": "post",
        "path": "/api/w/{ws}/flow-links/{app}/{flow}",
        "admits": [
          "*"
        ],
        "tag": "Flows",
        "bodyKind": "optional_json"
      },
      {
        "operationId": "revokeFlowLink",
        "method": "delete",
        "path": "/api/w/{ws}/flow-links/{link_id}",
        "admits": [
          "*"
        ],
        "tag": "Flows",
        "bodyKind": "none"
      }
    ]
  ],
  [
    "publicFlow",
    [
      {
        "operationId": "getFlowFormPage",
        "method": "get",
        "path": "/api/flow/run",
        "admits": [
          "public"
        ],
        "tag": "Public pages",
        "bodyKind": "none"
      },
      {
        "operationId": "startFlowRunByLink",
        "method": "post",
        "path": "/api/flow/run",
        "admits": [
          "public"
        ],
        "tag": "Public pages",
        "bodyKind": "raw"
      },
      {
        "operationId": "getFlowStatusPage",
        "method": "get",
        "path": "/api/flow/status",
        "admits": [
          "public"
        ],
        "tag": "Public pages",
        "bodyKind": "none"
      }
    ]
  ],
  [
    "approvalPage",
    [
      {
        "operationId": "getApprovalPage",
        "method": "get",
        "path": "/api/flow/approval",
        "admits": [
          "public"
        ],
        "tag": "Public pages",
        "bodyKind": "none"
      },
      {
        "operationId": "getApprovePage",
        "method": "get",
        "path": "/api/flow/approve",
        "admits": [
          "public"
        ],
        "tag": "Public pages",
        "bodyKind": "none"
      },
      {
        "operationId": "getRejectPage",
        "method": "get",
        "path": "/api/flow/reject",
        "admits": [
          "public"
        ],
        "tag": "Public pages",
        "bodyKind": "none"
      },
      {
        "operationId": "approveByLink",
        "method": "post",
        "path": "/api/flow/approve",
        "admits": [
          "public"
        ],
        "tag": "Public pages",
        "bodyKind": "raw"
      },
      {
        "operationId": "rejectByLink",
        "method": "post",
        "path": "/api/flow/reject",
        "admits": [
          "public"
        ],
        "tag": "Public pages",
        "bodyKind": "raw"
      }
    ]
  ],
  [
    "worker",
    [
      {
        "operationId": "listWorkers",
        "method": "get",
        "path": "/api/w/{ws}/workers",
        "admits": [
          "workers:read"
        ],
        "tag": "Workers",
        "bodyKind": "none"
      },
      {
        "operationId": "getWorkerHistory",
        "method": "get",
        "path": "/api/w/{ws}/workers/history",
        "admits": [
          "workers:read"
        ],
        "tag": "Workers",
        "bodyKind": "none"
      },
      {
        "operationId": "adminListWorkers",
        "method": "get",
        "path": "/api/admin/workers",
        "admits": [
          "instance"
        ],
        "tag": "Instance",
        "bodyKind": "none"
      }
    ]
  ],
  [
    "app",
    [
      {
        "operationId": "listApps",
        "method": "get",
        "path": "/api/w/{ws}/apps",
        "admits": [
          "apps:read"
        ],
        "tag": "Apps",
        "bodyKind": "none"
      },
      {
        "operationId": "createApp",
        "method": "post",
        "path": "/api/w/{ws}/apps",
        "admits": [
          "deployments:write"
        ],
        "tag": "Apps",
        "bodyKind": "json"
      },
      {
        "operationId": "getApp",
        "method": "get",
        "path": "/api/w/{ws}/apps/{app}",
        "admits": [
          "apps:read"
        ],
        "tag": "Apps",
        "bodyKind": "none"
      },
      {
        "operationId": "deleteApp",
        "method": "delete",
        "path": "/api/w/{ws}/apps/{app}",
        "admits": [
          "deployments:write"
        ],
        "tag": "Apps",
        "bodyKind": "none"
      },
      {
        "operationId": "listAppHistory",
        "method": "get",
        "path": "/api/w/{ws}/apps/{app}/history",
        "admits": [
          "apps:read"
        ],
        "tag": "Apps",
        "bodyKind": "none"
      },
      {
        "operationId": "listAppActions",
        "method": "get",
        "path": "/api/w/{ws}/apps/{app}/actions",
        "admits": [
          "apps:read"
        ],
        "tag": "Apps",
        "bodyKind": "none"
      },
      {
        "operationId": "updateAppAction",
        "method": "patch",
        "path": "/api/w/{ws}/apps/{app}/actions/{action}",
        "admits": [
          "apps:write"
        ],
        "tag": "Apps",
        "bodyKind": "json"
      }
    ]
  ],
  [
    "name",
    [
      {
        "operationId": "findNames",
        "method": "get",
        "path": "/api/w/{ws}/names",
        "admits": [
          "apps:read"
        ],
        "tag": "Apps",
        "bodyKind": "none"
      }
    ]
  ],
  [
    "appHost",
    [
      {
        "operationId": "updateApp",
        "method": "patch",
        "path": "/api/w/{ws}/apps/{app}",
        "admits": [
          "*"
        ],
        "tag": "Apps",
        "bodyKind": "json"
      },
      {
        "operationId": "verifyAppHost",
        "method": "post",
        "path": "/api/w/{ws}/apps/{app}/hosts/{host}/verify",
        "admits": [
          "*"
        ],
        "tag": "Apps",
        "bodyKind": "none"
      }
    ]
  ],
  [
    "function",
    [
      {
        "operationId": "listAppFunctions",
        "method": "get",
        "path": "/api/w/{ws}/apps/{app}/functions",
        "admits": [
          "apps:read"
        ],
        "tag": "Functions",
        "bodyKind": "none"
      },
      {
        "operationId": "deployFunctions",
        "method": "post",
        "path": "/api/w/{ws}/apps/{app}/functions/deploy",
        "admits": [
          "deployments:write"
        ],
        "tag": "Functions",
        "bodyKind": "raw",
        "bodyLimit": 10485760
      },
      {
        "operationId": "listFunctionCalls",
        "method": "get",
        "path": "/api/w/{ws}/apps/{app}/functions/{name}/calls",
        "admits": [
          "jobs:read"
        ],
        "tag": "Functions",
        "bodyKind": "none"
      }
    ]
  ],
  [
    "deployment",
    [
      {
        "operationId": "listDeployments",
        "method": "get",
        "path": "/api/w/{ws}/deployments",
        "admits": [
          "deployments:read"
        ],
        "tag": "Deployments",
        "bodyKind": "none"
      },
      {
        "operationId": "createDeployment",
        "method": "post",
        "path": "/api/w/{ws}/deployments",
        "admits": [
          "deployments:write"
        ],
        "tag": "Deployments",
        "bodyKind": "raw",
        "bodyLimit": 10485760
      },
      {
        "operationId": "planDeployment",
        "method": "post",
        "path": "/api/w/{ws}/deployments/plan",
        "admits": [
          "deployments:write"
        ],
        "tag": "Deployments",
        "bodyKind": "raw",
        "bodyLimit": 10485760
      },
      {
        "operationId": "getDeployment",
        "method": "get",
        "path": "/api/w/{ws}/deployments/{id}",
        "admits": [
          "deployments:read"
        ],
        "tag": "Deployments",
        "bodyKind": "none"
      },
      {
        "operationId": "compareDeployment",
        "method": "get",
        "path": "/api/w/{ws}/deployments/{id}/changes",
        "admits": [
          "deployments:read"
        ],
        "tag": "Deployments",
        "bodyKind": "none"
      },
      {
        "operationId": "listDeploymentFiles",
        "method": "get",
        "path": "/api/w/{ws}/deployments/{id}/files",
        "admits": [
          "apps:read"
        ],
        "tag": "Deployments",
        "bodyKind": "none"
      },
      {
        "operationId": "getDeploymentFile",
        "method": "get",
        "path": "/api/w/{ws}/deployments/{id}/files/{path}",
        "admits": [
          "apps:read"
        ],
        "tag": "Deployments",
        "bodyKind": "none"
      },
      {
        "operationId": "redeploy",
        "method": "post",
        "path": "/api/w/{ws}/deployments/{id}/redeploy",
        "admits": [
          "deployments:write"
        ],
        "tag": "Deployments",
        "bodyKind": "optional_json"
      }
    ]
  ],
  [
    "draft",
    [
      {
        "operationId": "listDrafts",
        "method": "get",
        "path": "/api/w/{ws}/drafts",
        "admits": [
          "drafts:read"
        ],
        "tag": "Drafts",
        "bodyKind": "none"
      },
      {
        "operationId": "getDraft",
        "method": "get",
        "path": "/api/w/{ws}/drafts/{app}",
        "admits": [
          "drafts:read"
        ],
        "tag": "Drafts",
        "bodyKind": "none"
      },
      {
        "operationId": "saveDraft",
        "method": "put",
        "path": "/api/w/{ws}/drafts/{app}",
        "admits": [
          "drafts:write"
        ],
        "tag": "Drafts",
        "bodyKind": "json",
        "bodyLimit": 16777216
      },
      {
        "operationId": "deleteDraft",
        "method": "delete",
        "path": "/api/w/{ws}/drafts/{app}",
        "admits": [
          "drafts:write"
        ],
        "tag": "Drafts",
        "bodyKind": "none"
      },
      {
        "operationId": "createDraftFromDeployed",
        "method": "post",
        "path": "/api/w/{ws}/drafts/{app}/from-deployed",
        "admits": [
          "drafts:write"
        ],
        "tag": "Drafts",
        "bodyKind": "none"
      },
      {
        "operationId": "checkDraft",
        "method": "post",
        "path": "/api/w/{ws}/drafts/{app}/check",
        "admits": [
          "drafts:write"
        ],
        "tag": "Drafts",
        "bodyKind": "none"
      },
      {
        "operationId": "compareDraftFiles",
        "method": "get",
        "path": "/api/w/{ws}/drafts/{app}/changes",
        "admits": [
          "drafts:read"
        ],
        "tag": "Drafts",
        "bodyKind": "none"
      },
      {
        "operationId": "tryDraft",
        "method": "post",
        "path": "/api/w/{ws}/drafts/{app}/try",
        "admits": [
          "deployments:write"
        ],
        "tag": "Drafts",
        "bodyKind": "json",
        "bodyLimit": 16777216
      },
      {
        "operationId": "deployDraft",
        "method": "post",
        "path": "/api/w/{ws}/drafts/{app}/deploy",
        "admits": [
          "deployments:write"
        ],
        "tag": "Drafts",
        "bodyKind": "optional_json"
      }
    ]
  ],
  [
    "gitSource",
    [
      {
        "operationId": "listGitSources",
        "method": "get",
        "path": "/api/w/{ws}/git-sources",
        "admits": [
          "git_sources:read"
        ],
        "tag": "Git sources",
        "bodyKind": "none"
      },
      {
        "operationId": "createGitSource",
        "method": "post",
        "path": "/api/w/{ws}/git-sources",
        "admits": [
          "git_sources:write"
        ],
        "tag": "Git sources",
        "bodyKind": "json"
      },
      {
        "operationId": "probeGitSource",
        "method": "post",
        "path": "/api/w/{ws}/git-sources/probe",
        "admits": [
          "git_sources:write"
        ],
        "tag": "Git sources",
        "bodyKind": "json"
      },
      {
        "operationId": "getGitSource",
        "method": "get",
        "path": "/api/w/{ws}/git-sources/{id}",
        "admits": [
          "git_sources:read"
        ],
        "tag": "Git sources",
        "bodyKind": "none"
      },
      {
        "operationId": "updateGitSource",
        "method": "patch",
        "path": "/api/w/{ws}/git-sources/{id}",
        "admits": [
          "git_sources:write"
        ],
        "tag": "Git sources",
        "bodyKind": "json"
      },
      {
        "operationId": "deleteGitSource",
        "method": "delete",
        "path": "/api/w/{ws}/git-sources/{id}",
        "admits": [
          "git_sources:write"
        ],
        "tag": "Git sources",
        "bodyKind": "none"
      },
      {
        "operationId": "syncGitSource",
        "method": "post",
        "path": "/api/w/{ws}/git-sources/{id}/sync",
        "admits": [
          "git_sources:write"
        ],
        "tag": "Git sources",
        "bodyKind": "optional_json"
      }
    ]
  ],
  [
    "schedule",
    [
      {
        "operationId": "listSchedules",
        "method": "get",
        "path": "/api/w/{ws}/schedules",
        "admits": [
          "schedules:read"
        ],
        "tag": "Schedules",
        "bodyKind": "none"
      },
      {
        "operationId": "createSchedule",
        "method": "post",
        "path": "/api/w/{ws}/schedules",
        "admits": [
          "schedules:write"
        ],
        "tag": "Schedules",
        "bodyKind": "json"
      },
      {
        "operationId": "putSchedule",
        "method": "put",
        "path": "/api/w/{ws}/schedules/by-key/{app}/{key}",
        "admits": [
          "schedules:write"
        ],
        "tag": "Schedules",
        "bodyKind": "json"
      },
      {
        "operationId": "getScheduleByKey",
        "method": "get",
        "path": "/api/w/{ws}/schedules/by-key/{app}/{key}",
        "admits": [
          "schedules:read"
        ],
        "tag": "Schedules",
        "bodyKind": "none"
      },
      {
        "operationId": "deleteScheduleByKey",
        "method": "delete",
        "path": "/api/w/{ws}/schedules/by-key/{app}/{key}",
        "admits": [
          "schedules:write"
        ],
        "tag": "Schedules",
        "bodyKind": "none"
      },
      {
        "operationId": "previewSchedule",
        "method": "post",
        "path": "/api/w/{ws}/schedules/preview",
        "admits": [
          "schedules:read"
        ],
        "tag": "Schedules",
        "bodyKind": "json"
      },
      {
        "operationId": "getSchedule",
        "method": "get",
        "path": "/api/w/{ws}/schedules/{id}",
        "admits": [
          "schedules:read"
        ],
        "tag": "Schedules",
        "bodyKind": "none"
      },
      {
        "operationId": "updateSchedule",
        "method": "patch",
        "path": "/api/w/{ws}/schedules/{id}",
        "admits": [
          "schedules:write"
        ],
        "tag": "Schedules",
        "bodyKind": "json"
      },
      {
        "operationId": "deleteSchedule",
        "method": "delete",
        "path": "/api/w/{ws}/schedules/{id}",
        "admits": [
          "schedules:write"
        ],
        "tag": "Schedules",
        "bodyKind": "none"
      },
      {
        "operationId": "runSchedule",
        "method": "post",
        "path": "/api/w/{ws}/schedules/{id}/run",
        "admits": [
          "schedules:read"
        ],
        "tag": "Schedules",
        "bodyKind": "optional_json",
        "rate": "run"
      },
      {
        "operationId": "listScheduleSlots",
        "method": "get",
        "path": "/api/w/{ws}/schedules/{id}/slots",
        "admits": [
          "schedules:read"
        ],
        "tag": "Schedules",
        "bodyKind": "none"
      }
    ]
  ],
  [
    "secret",
    [
      {
        "operationId": "listVariables",
        "method": "get",
        "path": "/api/w/{ws}/variables",
        "admits": [
          "variables:read"
        ],
        "tag": "Variables",
        "bodyKind": "none"
      },
      {
        "operationId": "createVariable",
        "method": "post",
        "path": "/api/w/{ws}/variables",
        "admits": [
          "variables:write"
        ],
        "tag": "Variables",
        "bodyKind": "json"
      },
      {
        "operationId": "setVariable",
        "method": "put",
        "path": "/api/w/{ws}/variables/{key}",
        "admits": [
          "variables:write"
        ],
        "tag": "Variables",
        "bodyKind": "json"
      },
      {
        "operationId": "deleteVariable",
        "method": "delete",
        "path": "/api/w/{ws}/variables/{key}",
        "admits": [
          "variables:write"
        ],
        "tag": "Variables",
        "bodyKind": "none"
      },
      {
        "operationId": "listResources",
        "method": "get",
        "path": "/api/w/{ws}/resources",
        "admits": [
          "resources:read"
        ],
        "tag": "Resources",
        "bodyKind": "none"
      },
      {
        "operationId": "createResource",
        "method": "post",
        "path": "/api/w/{ws}/resources",
        "admits": [
          "resources:write"
        ],
        "tag": "Resources",
        "bodyKind": "json"
      },
      {
        "operationId": "deleteResource",
        "method": "delete",
        "path": "/api/w/{ws}/resources/{key}",
        "admits": [
          "resources:write"
        ],
        "tag": "Resources",
        "bodyKind": "none"
      }
    ]
  ],
  [
    "state",
    [
      {
        "operationId": "getState",
        "method": "get",
        "path": "/api/w/{ws}/state",
        "admits": [
          "*"
        ],
        "tag": "State",
        "bodyKind": "none",
        "rate": "run"
      },
      {
        "operationId": "setState",
        "method": "post",
        "path": "/api/w/{ws}/state",
        "admits": [
          "*"
        ],
        "tag": "State",
        "bodyKind": "json",
        "rate": "run"
      },
      {
        "operationId": "deleteState",
        "method": "delete",
        "path": "/api/w/{ws}/state",
        "admits": [
          "*"
        ],
        "tag": "State",
        "bodyKind": "none",
        "rate": "run"
      },
      {
        "operationId": "listStateKeys",
        "method": "get",
        "path": "/api/w/{ws}/state/keys",
        "admits": [
          "*"
        ],
        "tag": "State",
        "bodyKind": "none",
        "rate": "run"
      }
    ]
  ],
  [
    "token",
    [
      {
        "operationId": "listScopes",
        "method": "get",
        "path": "/api/tokens/scopes",
        "admits": [
          "public"
        ],
        "tag": "Tokens",
        "bodyKind": "none"
      },
      {
        "operationId": "listTokens",
        "method": "get",
        "path": "/api/w/{ws}/tokens",
        "admits": [
          "tokens:read"
        ],
        "tag": "Tokens",
        "bodyKind": "none"
      },
      {
        "operationId": "createToken",
        "method": "post",
        "path": "/api/w/{ws}/tokens",
        "admits": [
          "tokens:write"
        ],
        "tag": "Tokens",
        "bodyKind": "json"
      },
      {
        "operationId": "revokeToken",
        "method": "delete",
        "path": "/api/w/{ws}/tokens/{id}",
        "admits": [
          "tokens:write"
        ],
        "tag": "Tokens",
        "bodyKind": "none"
      }
    ]
  ],
  [
    "apiKey",
    [
      {
        "operationId": "listApiKeys",
        "method": "get",
        "path": "/api/w/{ws}/api-keys",
        "admits": [
          "*"
        ],
        "tag": "API keys",
        "bodyKind": "none"
      },
      {
        "operationId": "createApiKey",
        "method": "post",
        "path": "/api/w/{ws}/api-keys",
        "admits": [
          "*"
        ],
        "tag": "API keys",
        "bodyKind": "json"
      },
      {
        "operationId": "deleteApiKey",
        "method": "delete",
        "path": "/api/w/{ws}/api-keys/{key_id}",
        "admits": [
          "*"
        ],
        "tag": "API keys",
        "bodyKind": "none"
      }
    ]
  ],
  [
    "relay",
    [
      {
        "operationId": "createRelaySession",
        "method": "post",
        "path": "/v2/certificates/session",
        "admits": [
          "api_key"
        ],
        "tag": "Certificate relay",
        "bodyKind": "none"
      },
      {
        "operationId": "getRelaySession",
        "method": "get",
        "path": "/v2/certificates/session/{certId}",
        "admits": [
          "api_key"
        ],
        "tag": "Certificate relay",
        "bodyKind": "none"
      },
      {
        "operationId": "cancelRelaySession",
        "method": "delete",
        "path": "/v2/certificates/session/{certId}",
        "admits": [
          "api_key"
        ],
        "tag": "Certificate relay",
        "bodyKind": "none"
      },
      {
        "operationId": "openRelaySocket",
        "method": "get",
        "path": "/v2/certificates/session/{certId}/ws",
        "admits": [
          "api_key"
        ],
        "tag": "Certificate relay",
        "bodyKind": "none"
      },
      {
        "operationId": "resolveRelayCode",
        "method": "post",
        "path": "/v2/certificates/resolve",
        "admits": [
          "public"
        ],
        "tag": "Certificate relay",
        "bodyKind": "json",
        "bodyLimit": 65536
      },
      {
        "operationId": "uploadCertificate",
        "method": "post",
        "path": "/v2/certificates/upload/{certId}",
        "admits": [
          "public"
        ],
        "tag": "Certificate relay",
        "bodyKind": "json",
        "bodyLimit": 1048576
      },
      {
        "operationId": "getCertificatesPage",
        "method": "get",
        "path": "/certificates",
        "admits": [
          "public"
        ],
        "tag": "Certificate relay",
        "bodyKind": "none"
      }
    ]
  ],
  [
    "consumer",
    [
      {
        "operationId": "listConsumers",
        "method": "get",
        "path": "/api/w/{ws}/consumers",
        "admits": [
          "consumers:read"
        ],
        "tag": "Customers",
        "bodyKind": "none"
      },
      {
        "operationId": "createConsumer",
        "method": "post",
        "path": "/api/w/{ws}/consumers",
        "admits": [
          "consumers:write"
        ],
        "tag": "Customers",
        "bodyKind": "json"
      },
      {
        "operationId": "getConsumer",
        "method": "get",
        "path": "/api/w/{ws}/consumers/{id}",
        "admits": [
          "consumers:read"
        ],
        "tag": "Customers",
        "bodyKind": "none"
      },
      {
        "operationId": "updateConsumer",
        "method": "patch",
        "path": "/api/w/{ws}/consumers/{id}",
        "admits": [
          "consumers:write"
        ],
        "tag": "Customers",
        "bodyKind": "json"
      },
      {
        "operationId": "deleteConsumer",
        "method": "delete",
        "path": "/api/w/{ws}/consumers/{id}",
        "admits": [
          "consumers:write"
        ],
        "tag": "Customers",
        "bodyKind": "none"
      },
      {
        "operationId": "setConsumerGrants",
        "method": "put",
        "path": "/api/w/{ws}/consumers/{id}/grants",
        "admits": [
          "consumers:write"
        ],
        "tag": "Customers",
        "bodyKind": "json"
      },
      {
        "operationId": "listConsumerKeys",
        "method": "get",
        "path": "/api/w/{ws}/consumers/{id}/keys",
        "admits": [
          "consumers:read"
        ],
        "tag": "Customers",
        "bodyKind": "none"
      },
      {
        "operationId": "createConsumerKey",
        "method": "post",
        "path": "/api/w/{ws}/consumers/{id}/keys",
        "admits": [
          "consumers:write"
        ],
        "tag": "Customers",
        "bodyKind": "json"
      },
      {
        "operationId": "deleteConsumerKey",
        "method": "delete",
        "path": "/api/w/{ws}/consumers/{id}/keys/{key_id}",
        "admits": [
          "consumers:write"
        ],
        "tag": "Customers",
        "bodyKind": "none"
      }
    ]
  ],
  [
    "record",
    [
      {
        "operationId": "listLedgerEntries",
        "method": "get",
        "path": "/api/w/{ws}/ledger",
        "admits": [
          "*"
        ],
        "tag": "Records",
        "bodyKind": "none"
      },
      {
        "operationId": "listUsage",
        "method": "get",
        "path": "/api/w/{ws}/usage",
        "admits": [
          "*"
        ],
        "tag": "Records",
        "bodyKind": "none"
      },
      {
        "operationId": "listAuditEntries",
        "method": "get",
        "path": "/api/w/{ws}/audit",
        "admits": [
          "*"
        ],
        "tag": "Records",
        "bodyKind": "none"
      },
      {
        "operationId": "adminListAuditEntries",
        "method": "get",
        "path": "/api/admin/audit",
        "admits": [
          "instance"
        ],
        "tag": "Records",
        "bodyKind": "none"
      }
    ]
  ],
  [
    "billing",
    [
      {
        "operationId": "getBilling",
        "method": "get",
        "path": "/api/w/{ws}/billing",
        "admits": [
          "*"
        ],
        "tag": "Billing",
        "bodyKind": "none"
      },
      {
        "operationId": "adminAddCredits",
        "method": "post",
        "path": "/api/admin/workspaces/{id}/credits",
        "admits": [
          "instance"
        ],
        "tag": "Instance",
        "bodyKind": "json"
      }
    ]
  ],
  [
    "workflow",
    [
      {
        "operationId": "runWorkflow",
        "method": "post",
        "path": "/v2/workflows",
        "admits": [
          "api_key",
          "x-api-key"
        ],
        "tag": "Document parser",
        "bodyKind": "json"
      }
    ]
  ],
  [
    "documentParser",
    [
      {
        "operationId": "parseRegistry",
        "method": "post",
        "path": "/document-parser/registry",
        "admits": [
          "api_key"
        ],
        "tag": "Document parser",
        "bodyKind": "stream"
      },
      {
        "operationId": "getRegistrySchema",
        "method": "get",
        "path": "/api/schemas/registry-1.5.0.json",
        "admits": [
          "public"
        ],
        "tag": "Document parser",
        "bodyKind": "none"
      }
    ]
  ],
  [
    "workspace",
    [
      {
        "operationId": "getWorkspace",
        "method": "get",
        "path": "/api/w/{ws}/workspace",
        "admits": [
          "workspace:read"
        ],
        "tag": "Workspace",
        "bodyKind": "none"
      },
      {
        "operationId": "updateWorkspace",
        "method": "patch",
        "path": "/api/w/{ws}/workspace",
        "admits": [
          "workspace:write"
        ],
        "tag": "Workspace",
        "bodyKind": "json"
      },
      {
        "operationId": "getWorkspaceUsage",
        "method": "get",
        "path": "/api/w/{ws}/workspace/usage",
        "admits": [
          "workspace:read"
        ],
        "tag": "Workspace",
        "bodyKind": "none"
      },
      {
        "operationId": "adminListWorkspaces",
        "method": "get",
        "path": "/api/admin/workspaces",
        "admits": [
          "instance"
        ],
        "tag": "Instance",
        "bodyKind": "none"
      },
      {
        "operationId": "adminCreateWorkspace",
        "method": "post",
        "path": "/api/admin/workspaces",
        "admits": [
          "instance"
        ],
        "tag": "Instance",
        "bodyKind": "json"
      },
      {
        "operationId": "adminUpdateWorkspace",
        "method": "patch",
        "path": "/api/admin/workspaces/{id}",
        "admits": [
          "instance"
        ],
        "tag": "Instance",
        "bodyKind": "json"
      }
    ]
  ],
  [
    "notification",
    [
      {
        "operationId": "listNotificationDeliveries",
        "method": "get",
        "path": "/api/w/{ws}/notifications/deliveries",
        "admits": [
          "workspace:read"
        ],
        "tag": "Workspace",
        "bodyKind": "none"
      },
      {
        "operationId": "testNotification",
        "method": "post",
        "path": "/api/w/{ws}/notifications/test",
        "admits": [
          "workspace:write"
        ],
        "tag": "Workspace",
        "bodyKind": "json"
      }
    ]
  ],
  [
    "member",
    [
      {
        "operationId": "listMembers",
        "method": "get",
        "path": "/api/w/{ws}/members",
        "admits": [
          "members:read"
        ],
        "tag": "People",
        "bodyKind": "none"
      },
      {
        "operationId": "addMember",
        "method": "post",
        "path": "/api/w/{ws}/members",
        "admits": [
          "members:write"
        ],
        "tag": "People",
        "bodyKind": "json"
      },
      {
        "operationId": "updateMember",
        "method": "patch",
        "path": "/api/w/{ws}/members/{email}",
        "admits": [
          "members:write"
        ],
        "tag": "People",
        "bodyKind": "json"
      },
      {
        "operationId": "deleteMember",
        "method": "delete",
        "path": "/api/w/{ws}/members/{email}",
        "admits": [
          "members:write"
        ],
        "tag": "People",
        "bodyKind": "none"
      }
    ]
  ],
  [
    "invite",
    [
      {
        "operationId": "listInvites",
        "method": "get",
        "path": "/api/w/{ws}/invites",
        "admits": [
          "members:read"
        ],
        "tag": "People",
        "bodyKind": "none"
      },
      {
        "operationId": "createInvite",
        "method": "post",
        "path": "/api/w/{ws}/invites",
        "admits": [
          "members:write"
        ],
        "tag": "People",
        "bodyKind": "json"
      },
      {
        "operationId": "deleteInvite",
        "method": "delete",
        "path": "/api/w/{ws}/invites/{id}",
        "admits": [
          "members:write"
        ],
        "tag": "People",
        "bodyKind": "none"
      },
      {
        "operationId": "getInvitePage",
        "method": "get",
        "path": "/invite",
        "admits": [
          "public"
        ],
        "tag": "People",
        "bodyKind": "none"
      },
      {
        "operationId": "acceptInvite",
        "method": "post",
        "path": "/api/auth/accept-invite",
        "admits": [
          "public"
        ],
        "tag": "People",
        "bodyKind": "raw",
        "bodyLimit": 65536
      }
    ]
  ],
  [
    "session",
    [
      {
        "operationId": "logIn",
        "method": "post",
        "path": "/api/auth/login",
        "admits": [
          "public"
        ],
        "tag": "Access",
        "bodyKind": "raw",
        "bodyLimit": 65536
      },
      {
        "operationId": "logOut",
        "method": "post",
        "path": "/api/auth/logout",
        "admits": [
          "any"
        ],
        "tag": "Access",
        "bodyKind": "none"
      },
      {
        "operationId": "listOwnSessions",
        "method": "get",
        "path": "/api/auth/sessions",
        "admits": [
          "any"
        ],
        "tag": "Access",
        "bodyKind": "none"
      },
      {
        "operationId": "endOwnSession",
        "method": "delete",
        "path": "/api/auth/sessions/{id}",
        "admits": [
          "any"
        ],
        "tag": "Access",
        "bodyKind": "none"
      },
      {
        "operationId": "endOtherSessions",
        "method": "delete",
        "path": "/api/auth/sessions",
        "admits": [
          "any"
        ],
        "tag": "Access",
        "bodyKind": "none"
      }
    ]
  ],
  [
    "oidc",
    [
      {
        "operationId": "beginOidcSignIn",
        "method": "get",
        "path": "/api/auth/oidc/login",
        "admits": [
          "public"
        ],
        "tag": "Access",
        "bodyKind": "none"
      },
      {
        "operationId": "finishOidcSignIn",
        "method": "get",
        "path": "/api/auth/oidc/callback",
        "admits": [
          "public"
        ],
        "tag": "Access",
        "bodyKind": "none"
      },
      {
        "operationId": "endOidcSessions",
        "method": "post",
        "path": "/api/auth/oidc/backchannel-logout",
        "admits": [
          "public"
        ],
        "tag": "Access",
        "bodyKind": "raw",
        "bodyLimit": 65536
      }
    ]
  ],
  [
    "device",
    [
      {
        "operationId": "createDeviceCode",
        "method": "post",
        "path": "/api/auth/device/code",
        "admits": [
          "public"
        ],
        "tag": "Access",
        "bodyKind": "raw",
        "bodyLimit": 65536
      },
      {
        "operationId": "exchangeDeviceCode",
        "method": "post",
        "path": "/api/auth/device/token",
        "admits": [
          "public"
        ],
        "tag": "Access",
        "bodyKind": "raw",
        "bodyLimit": 65536
      },
      {
        "operationId": "approveDevice",
        "method": "post",
        "path": "/api/auth/device/approve",
        "admits": [
          "any"
        ],
        "tag": "Access",
        "bodyKind": "raw",
        "bodyLimit": 65536
      },
      {
        "operationId": "getDevicePage",
        "method": "get",
        "path": "/device",
        "admits": [
          "public"
        ],
        "tag": "Access",
        "bodyKind": "none"
      }
    ]
  ],
  [
    "twoFactor",
    [
      {
        "operationId": "getTwoFactor",
        "method": "get",
        "path": "/api/auth/two-factor",
        "admits": [
          "any"
        ],
        "tag": "Access",
        "bodyKind": "none"
      },
      {
        "operationId": "startTwoFactor",
        "method": "post",
        "path": "/api/auth/two-factor",
        "admits": [
          "any"
        ],
        "tag": "Access",
        "bodyKind": "json"
      },
      {
        "operationId": "confirmTwoFactor",
        "method": "post",
        "path": "/api/auth/two-factor/confirm",
        "admits": [
          "any"
        ],
        "tag": "Access",
        "bodyKind": "json"
      },
      {
        "operationId": "endTwoFactor",
        "method": "post",
        "path": "/api/auth/two-factor/disable",
        "admits": [
          "any"
        ],
        "tag": "Access",
        "bodyKind": "json"
      },
      {
        "operationId": "adminResetTwoFactor",
        "method": "delete",
        "path": "/api/admin/users/{email}/two-factor",
        "admits": [
          "instance"
        ],
        "tag": "Instance",
        "bodyKind": "none"
      }
    ]
  ],
  [
    "user",
    [
      {
        "operationId": "changePassword",
        "method": "post",
        "path": "/api/auth/password",
        "admits": [
          "any"
        ],
        "tag": "Access",
        "bodyKind": "json"
      },
      {
        "operationId": "adminListUsers",
        "method": "get",
        "path": "/api/admin/users",
        "admits": [
          "instance"
        ],
        "tag": "Instance",
        "bodyKind": "none"
      },
      {
        "operationId": "adminUpdateUser",
        "method": "patch",
        "path": "/api/admin/users/{email}",
        "admits": [
          "instance"
        ],
        "tag": "Instance",
        "bodyKind": "json"
      },
      {
        "operationId": "adminDeleteUser",
        "method": "delete",
        "path": "/api/admin/users/{email}",
        "admits": [
          "instance"
        ],
        "tag": "Instance",
        "bodyKind": "none"
      }
    ]
  ],
  [
    "identity",
    [
      {
        "operationId": "getIdentity",
        "method": "get",
        "path": "/api/auth/me",
        "admits": [
          "any",
          "customer_key"
        ],
        "tag": "Access",
        "bodyKind": "none"
      },
      {
        "operationId": "listOwnWorkspaces",
        "method": "get",
        "path": "/api/auth/workspaces",
        "admits": [
          "any"
        ],
        "tag": "Access",
        "bodyKind": "none"
      },
      {
        "operationId": "getMembership",
        "method": "get",
        "path": "/api/w/{ws}/whoami",
        "admits": [
          "workspace:read"
        ],
        "tag": "Access",
        "bodyKind": "none"
      }
    ]
  ],
  [
    "doc",
    [
      {
        "operationId": "getOpenApiDocument",
        "method": "get",
        "path": "/api/openapi.json",
        "admits": [
          "public"
        ],
        "tag": "Documentation",
        "bodyKind": "none"
      },
      {
        "operationId": "getManifestSchema",
        "method": "get",
        "path": "/api/schemas/app.json",
        "admits": [
          "public"
        ],
        "tag": "Documentation",
        "bodyKind": "none"
      },
      {
        "operationId": "getDocsPage",
        "method": "get",
        "path": "/api/docs",
        "admits": [
          "public"
        ],
        "tag": "Documentation",
        "bodyKind": "none"
      }
    ]
  ]
]
