/** Settings of claiming and running jobs. */
import { availableParallelism, hostname } from 'node:os'
import { z } from 'zod'
import { tagList, workspaceList } from './lists.ts'
import { byteCount, egressGrants, oneOf, settingMeta, text, whole, words } from './setting.ts'

export const workerFields = {
  tags: tagList.default(['default']).register(settingMeta, {
    env: 'SVC_TAGS',
    flag: 'tags',
    sentence: 'Tags, separated by commas, whose jobs the worker claims.',
  }),
  workspaces: workspaceList.default([]).register(settingMeta, {
    env: 'SVC_WORKSPACES',
    flag: 'workspaces',
    defaultText: 'all',
    sentence: 'Workspaces, separated by commas, whose jobs the worker claims.',
  }),
  group: text.default('default').register(settingMeta, {
    env: 'SVC_GROUP',
    flag: 'group',
    sentence: 'Name of the worker group, shown to people.',
  }),
  concurrency: whole(1, 1_000)
    .default(() => availableParallelism())
    .register(settingMeta, {
      env: 'SVC_CONCURRENCY',
      flag: 'concurrency',
      defaultText: 'cores',
      sentence: 'Jobs that the worker runs at once.',
    }),
  workerName: text
    .default(() => hostname())
    .register(settingMeta, {
      env: 'SVC_WORKER_NAME',
      flag: 'name',
      defaultText: 'host name',
      sentence: "The worker's name.",
    }),
  jobLeaseS: z.coerce
    .number('must be a number of seconds')
    .min(0.5, 'must be at least 0.5')
    .max(3_600, 'must be at most 3600')
    .default(10)
    .register(settingMeta, {
      env: 'SVC_JOB_LEASE_S',
      sentence: 'Seconds of the lease on a job; the job of a lost worker is queued again after it.',
    }),
  jobMaxCrashes: whole(1, 100).default(3).register(settingMeta, {
    env: 'SVC_JOB_MAX_CRASHES',
    sentence: 'Lost workers after which a job fails with WorkerLost.',
  }),
  jobMemoryMb: whole(64, 1_048_576).default(512).register(settingMeta, {
    env: 'SVC_JOB_MEMORY_MB',
    sentence: 'Memory in MiB of a job whose action sets none.',
  }),
  jobMaxMemoryMb: whole(64, 1_048_576).default(2_048).register(settingMeta, {
    env: 'SVC_JOB_MAX_MEMORY_MB',
    sentence: 'Largest memoryMb that an action may request; a deploy with more answers 422.',
  }),
  jobMaxTimeoutS: whole(1, 86_400).default(86_400).register(settingMeta, {
    env: 'SVC_JOB_MAX_TIMEOUT_S',
    sentence: 'Longest timeoutS that an action may request; a deploy with more answers 422.',
  }),
  maxResultBytes: byteCount.default(4_194_304).register(settingMeta, {
    env: 'SVC_MAX_RESULT_BYTES',
    sentence: 'Largest result of a job, in bytes; beyond it the job fails with ResultTooLarge.',
  }),
  maxLogBytes: byteCount.default(10_485_760).register(settingMeta, {
    env: 'SVC_MAX_LOG_BYTES',
    sentence: 'Output kept of one job, in bytes; the rest is dropped and a mark is added.',
  }),
  sandbox: oneOf('auto', 'bubblewrap', 'deno', 'node', 'command')
    .default('auto')
    .register(settingMeta, {
      env: 'SVC_SANDBOX',
      flag: 'sandbox',
      sentence:
        'What runs the jobs: auto (the strongest that works), bubblewrap, deno, node (trusted code only), or command.',
    }),
  sandboxCommand: words.optional().register(settingMeta, {
    env: 'SVC_SANDBOX_COMMAND',
    defaultText: 'none',
    sentence:
      'For SVC_SANDBOX=command: program and arguments that confine the command appended to them (docs/security.md).',
  }),
  sandboxMinLevel: oneOf('none', 'runtime', 'os', 'vm').default('runtime').register(settingMeta, {
    env: 'SVC_SANDBOX_MIN_LEVEL',
    sentence: 'Lowest isolation level at which the worker claims jobs: none, runtime, os or vm.',
  }),
  egressAllow: egressGrants.default([]).register(settingMeta, {
    env: 'SVC_EGRESS_ALLOW',
    sentence:
      'Private destinations, separated by commas, that jobs may reach where their `network` names them: `db.internal:5432`, `10.1.0.0/16:6379`, `[fd12::/16]`. Set it alike on servers and workers.',
  }),
  sandboxReuse: oneOf('on', 'off').default('on').register(settingMeta, {
    env: 'SVC_SANDBOX_REUSE',
    sentence: 'Whether a process may serve further jobs of the same app and commit.',
  }),
  bundleCacheMb: whole(1, 1_048_576).default(512).register(settingMeta, {
    env: 'SVC_BUNDLE_CACHE_MB',
    sentence:
      'MiB of disk in the cache folder that a worker uses for bundles of a remote database.',
  }),
  denoPath: text.optional().register(settingMeta, {
    env: 'SVC_DENO_PATH',
    defaultText: 'the one inside svc',
    sentence: 'Path of another Deno binary for jobs.',
  }),
  fault: text.optional().register(settingMeta, {
    env: 'SVC_FAULT',
    defaultText: 'none',
    sentence: 'For tests: the point at which the process kills itself, as point or point:n.',
  }),
}
