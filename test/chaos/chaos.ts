/**
 * Chaos: servers, workers and schedulers over one database, under load, while a nemesis kills and pauses them and their
 * database; then an audit. The seed repeats what is done and when, not how the processes take it.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from '#store/database.ts'
import { openDatabase } from '#store/open-database.ts'
import { untilAllEnded } from '../e2e/durable-node.ts'
import { type Fleet, type FleetBackend, openFleet } from '../e2e/fleet.ts'
import { auditChaos, type Finding } from './audit.ts'
import { createCrew } from './crew.ts'
import { FILES, type Ledger, runLoad } from './load.ts'
import { type NemesisCount, runNemesis } from './nemesis.ts'
import { createChance } from './random.ts'

export type ChaosOptions = Readonly<{
  backend: FleetBackend
  seconds: number
  seed: number
  onDeed?: (text: string) => void
}>

export type ChaosReport = Readonly<{
  backend: FleetBackend
  seconds: number
  seed: number
  nemesis: NemesisCount
  acknowledged: number
  answers: ReadonlyMap<number, number>
  findings: readonly Finding[]
}>

const SCHEDULES = 20
const CALLERS = 16
/** Short, so that the pauses outlast them; nobody's job may end for having been killed too often. */
const SETTINGS = {
  SVC_JOB_LEASE_S: '2',
  SVC_JOB_MAX_CRASHES: '100',
  SVC_CONCURRENCY: '4',
  SVC_SHUTDOWN_GRACE_S: '10',
}

const deploy = async (fleet: Fleet, url: string): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-chaos-'))
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, name), text)
  const form = new FormData()
  const archive = execFileSync('tar', ['-cz', '-C', folder, '.'])
  form.set('bundle', new Blob([archive]), 'app.tar.gz')
  rmSync(folder, { recursive: true })
  const answer = await fetch(`${url}/api/w/default/deployments`, {
    method: 'POST',
    headers: { authorization: `Bearer ${fleet.folder.token}` },
    body: form,
  })
  if (answer.status !== 201) throw new Error(await answer.text())
}

/** The most jobs of one concurrency key that ever ran at once, as far as looking often tells. */
const watchKeys = (fleet: Fleet) => {
  let most = 0
  let isOver = false
  const watch = async (): Promise<void> => {
    const db = await openDatabase({ url: fleet.folder.databaseUrl })
    while (!isOver) {
      const row = await db
        .one(
          sql(
            `SELECT MAX(n) AS most FROM (SELECT count(*) AS n FROM jobs
             WHERE status = 'running' AND concurrency_key IS NOT NULL GROUP BY concurrency_key)`,
          ),
        )
        .catch(() => null)
      most = Math.max(most, Number(row?.most ?? 0))
      await sleep(20)
    }
    await db.close()
  }
  const watching = watch()
  return {
    stop: async (): Promise<number> => {
      isOver = true
      await watching
      return most
    },
  }
}

export const runChaos = async (options: ChaosOptions): Promise<ChaosReport> => {
  const { backend, seconds, seed, onDeed = () => undefined } = options
  const fleet = await openFleet(backend, SETTINGS)
  try {
    const crew = createCrew(fleet)
    await Promise.all(crew.sailors.map((sailor) => crew.start(sailor)))
    const [server] = crew.servers()
    if (server === undefined) throw new Error('No server started.')
    await deploy(fleet, server.url)
    for (let at = 0; at < SCHEDULES; at += 1) {
      const wish = { app_key: 'chaos', action_key: 'quick', cron: '@every 1s' }
      const { status } = await fleet.call(server, 'POST', '/schedules', wish)
      if (status !== 201) throw new Error(`A schedule answered ${status}.`)
    }
    const keys = watchKeys(fleet)
    let isOver = false
    const load = runLoad({
      crew,
      token: fleet.folder.token,
      chance: createChance(seed + 1),
      callers: CALLERS,
      restMs: 20,
      isOver: () => isOver,
    })
    const nemesis = await runNemesis({
      crew,
      sqld: fleet.sqld,
      chance: createChance(seed),
      forMs: seconds * 1_000,
      onDeed,
    })
    isOver = true
    const ledger = await load
    await settle(fleet)
    const mostRunning = await keys.stop()
    const badEnds = await crew.stop()
    const findings = await fleet.read((db) => auditChaos(db, ledger, { mostRunning }))
    return toReport(options, nemesis, ledger, [
      ...findings,
      { invariant: '–', what: 'every node ends with 0 when told to', violations: badEnds },
    ])
  } finally {
    await fleet.close()
  }
}

/** No slot comes any more, and what was queued has ended. */
const settle = async (fleet: Fleet): Promise<void> => {
  await fleet.read((db) =>
    db.write(
      [sql('UPDATE schedules SET enabled = 0, next_fire_at = NULL, version = version + 1')],
      {
        retry: true,
      },
    ),
  )
  await untilAllEnded(fleet.folder, 90_000)
}

const toReport = (
  { backend, seconds, seed }: ChaosOptions,
  nemesis: NemesisCount,
  ledger: Ledger,
  findings: readonly Finding[],
): ChaosReport => ({
  backend,
  seconds,
  seed,
  nemesis,
  acknowledged: ledger.acknowledged.size,
  answers: ledger.answers,
  findings,
})
