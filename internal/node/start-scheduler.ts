/** The scheduler role: the one scheduler that leads a cell runs its duties. */
import type { Config } from '#config/config.ts'
import type { Confine } from '#confine/confine.ts'
import { createLogger } from '#log/logtape.ts'
import { createAdmitDuty } from '#scheduler/duties/admit-flow-steps.ts'
import { createLateDuty } from '#scheduler/duties/cancel-late-jobs.ts'
import { createWaitDuty } from '#scheduler/duties/end-waits.ts'
import { createExpireRelayDuty } from '#scheduler/duties/expire-relay.ts'
import { createFireDuty } from '#scheduler/duties/fire-schedules.ts'
import { createRescueDuty } from '#scheduler/duties/rescue-jobs.ts'
import { createRevokeTokensDuty } from '#scheduler/duties/revoke-tokens.ts'
import { createOperationsDuty } from '#scheduler/duties/run-operations.ts'
import { createNotifyDuty } from '#scheduler/duties/send-notifications.ts'
import { createDeploymentSweepDuty } from '#scheduler/duties/sweep-deployments.ts'
import { createSweepDuty } from '#scheduler/duties/sweep-retention.ts'
import { createGitSyncDuty } from '#scheduler/duties/sync-git.ts'
import { createScheduler } from '#scheduler/loop.ts'
import type { AllDeps } from '#service/flows/engine.ts'
import { createLeadership } from '#service/nodes/lead.ts'
import { createClockWatch } from '#service/nodes/watch-clock.ts'
import { enqueueDepsOf } from '#service/queue/enqueue-job.ts'
import { DOUBTFUL_JUMP_MS } from '#store/nodes/clock-jumps.ts'
import { findWorkDue } from '#store/work-due.ts'
import { monotonicNow, suspendProofNow } from '#worker/monotonic-clock.ts'
import { openManifestReader } from './manifest-thread.ts'
import type { Membership } from './membership.ts'
import { openGit } from './open-git.ts'
import { openSenders } from './open-senders.ts'
import type { Stoppable } from './stoppable.ts'

const LEADER_LEASE_MS = 10_000

/** Starts the scheduler of one cell; schedulers of other nodes take over when it stops. */
export const startScheduler = async (
  config: Config,
  processDeps: AllDeps & Pick<Membership, 'isLinked'>,
  confine: Confine,
): Promise<Stoppable> => {
  // a turn of a duty ends with its last check, so a check must not wait behind those of a workspace's requests
  const deps = { ...processDeps, manifests: openManifestReader() }
  const log = createLogger('scheduler')
  const leadership = createLeadership(deps, {
    name: 'scheduler',
    owner: deps.newId(),
    leaseMs: LEADER_LEASE_MS,
    monotonicNow,
    onElected: (epoch) => log.debug('Leads the schedulers now.', { epoch }),
  })
  const clock = createClockWatch(deps, {
    steadyNow: deps.db.backend === 'file' ? monotonicNow : suspendProofNow,
    node: config.workerName,
    onJump: (jump) => {
      log.warn(
        'The clock of the database jumped; leases were put right, and fire times follow.',
        jump,
      )
      if (jump.byMs > DOUBTFUL_JUMP_MS) {
        log.warn(
          'The clock jumped by more than a day, so nothing is deleted for its age for a day. If the clock is wrong, set it within that day.',
        )
      }
    },
  })
  const shared = { ...deps, log, leadership, clock }
  const enqueuing = { ...shared, ...enqueueDepsOf(deps) }
  const duties = [
    createRescueDuty(shared),
    createWaitDuty(enqueuing),
    createLateDuty(shared),
    createExpireRelayDuty(shared),
    createRevokeTokensDuty(shared),
    createAdmitDuty(shared),
    createOperationsDuty({ ...enqueuing, monotonicNow }),
    createFireDuty({ ...shared, monotonicNow }),
    createNotifyDuty({ ...shared, ...openSenders(config) }),
    createGitSyncDuty({ ...shared, git: openGit(config, confine) }),
    createSweepDuty({
      ...shared,
      retentionDays: config.jobRetentionDays,
      auditRetentionDays: config.auditRetentionDays,
    }),
    createDeploymentSweepDuty({
      ...shared,
      keepDeployments: config.keepDeployments,
      retentionDays: config.jobRetentionDays,
    }),
  ]
  const scheduler = createScheduler(log, duties, {
    poll: () => clock.checkBy(() => findWorkDue(deps.db)),
    hearsAllWrites: deps.isLinked,
    onWritten: (listener) => deps.hints.written.subscribe(listener),
  })
  await scheduler.start()
  return {
    stop: async () => {
      await scheduler.stop()
      // if the database is unreachable, the lease expires
      await leadership.release().catch(() => undefined)
    },
  }
}
