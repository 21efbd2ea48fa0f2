/** Queries the health of the node on this machine. */
import { z } from 'zod'
import type { Config } from '#config/config.ts'
import { reasonOf } from './check.ts'

const PATIENCE_MS = 5_000

const healthSchema = z.looseObject({ status: z.string(), reason: z.string().optional() })

/** Workers and schedulers listen on their own port, `healthPort`. */
const addressOf = ({ host, port, healthPort }: Config, path: string): string => {
  const near = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  return `http://${near.includes(':') ? `[${near}]` : near}:${healthPort ?? port}${path}`
}

type Health = Readonly<{ isOk: boolean; found: unknown; sentence: string }>

/** Queries /healthz. A node that does not answer counts as unhealthy. */
export const askHealth = async (config: Config): Promise<Health> => {
  const url = addressOf(config, '/healthz')
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(PATIENCE_MS) })
    const found = healthSchema.parse(await response.json())
    const reason = found.reason === undefined ? '' : `. ${found.reason}`
    return { isOk: response.ok, found, sentence: `${url} answers: ${found.status}${reason}` }
  } catch (error) {
    // fetch states the reason of a failed connection only in the cause
    const reason = error instanceof TypeError && error.cause instanceof Error ? error.cause : error
    const sentence = `${url} does not answer: ${reasonOf(reason)}. Is svc running there? See --host and --port.`
    return { isOk: false, found: { status: 'unreachable' }, sentence }
  }
}

/** Returns the metrics of the node on this machine. @throws if it does not answer, or refuses */
export const askMetrics = async (config: Config): Promise<string> => {
  const { metricsToken } = config
  const response = await fetch(addressOf(config, '/metrics'), {
    headers: metricsToken === undefined ? {} : { authorization: `Bearer ${metricsToken}` },
    signal: AbortSignal.timeout(PATIENCE_MS),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`/metrics answers ${response.status}: ${text}`)
  return text
}
