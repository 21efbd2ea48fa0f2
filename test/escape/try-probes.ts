/** Runs every probe under one provider, each as a separate job, and returns which succeeded. */
import type { Provider } from '#sandbox/providers/provider.ts'
import type { Sandbox } from '#sandbox/sandbox.ts'
import { main, openPool, runJob } from '../sandbox/job.ts'
import type { Canaries } from './canaries.ts'
import { PROBES, type Probe } from './probes.ts'

export type Verdict = Readonly<{
  probe: Probe
  /** Null if it cannot be tried here. */
  isOpen: boolean | null
  /** The value that it returned, or what it touched. */
  told: string
}>

export type Tried = Readonly<{ provider: Provider; hasNames: boolean }>

/** A listener of the job lives until its process ends, so it must be found before. Milliseconds. */
const PROBE_MS = 4_000
const REFUSAL =
  /NotCapable|Requires \w+ access|svc does not let|PermissionDenied|ENOENT|ENETUNREACH|unsuccessful tunnel/

const codeOf = ({ body }: Probe): string =>
  main(`
    const w = ctx.input
    const late = new Promise((_, reject) => setTimeout(() => reject(new Error('nothing happened')), 2500))
    try { return 'got ' + await Promise.race([(async () => { ${body} })(), late]) }
    catch (error) { return 'refused ' + error?.name + ': ' + error?.message + ' ' + (error?.cause?.message ?? '') }`)

const judge = (
  probe: Probe,
  { told, secret, touched }: Readonly<{ told: string; secret: string; touched: readonly string[] }>,
): Verdict => {
  if (touched.length > 0) return { probe, isOpen: true, told: `touched: ${touched.join(', ')}` }
  if (told.includes(secret)) return { probe, isOpen: true, told: 'got the secret' }
  const isOpen = probe.mustRefuse === true && !REFUSAL.test(told)
  return { probe, isOpen, told: told.slice(0, 160) }
}

const tryOne = async (pool: Sandbox, canaries: Canaries, probe: Probe): Promise<Verdict> => {
  const { bait, secret } = canaries
  const marks: string[] = []
  // servers and inspectors of a job end with it, so look for them meanwhile
  const isServer = /listenPort|inspectorPort/.test(probe.body)
  const watch = isServer
    ? setInterval(() => void canaries.touched().then((found) => marks.push(...found)), 50)
    : undefined
  const { outcome } = await runJob(pool, {
    code: codeOf(probe),
    input: { ...bait, victim: bait.victim ?? 0 },
    app: probe.name,
    limits: { timeoutMs: PROBE_MS },
  })
  clearInterval(watch)
  const told =
    outcome.kind === 'success' ? outcome.resultJson : `refused ${JSON.stringify(outcome)}`
  return judge(probe, { told, secret, touched: [...marks, ...(await canaries.touched())] })
}

export const tryProbes = async (
  { provider, hasNames }: Tried,
  canaries: Canaries,
): Promise<readonly Verdict[]> => {
  const pool = openPool(provider, { maxIdle: 0, reuse: false })
  const verdicts: Verdict[] = []
  for (const probe of PROBES) {
    verdicts.push(
      probe.needsNames === true && !hasNames
        ? { probe, isOpen: null, told: 'names are the system’s' }
        : await tryOne(pool, canaries, probe),
    )
  }
  await pool.close()
  return verdicts
}
