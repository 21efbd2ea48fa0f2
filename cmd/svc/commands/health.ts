/** `svc health`: asks the node on this machine whether it can work, as containers and supervisors want to know it. */
import process from 'node:process'
import type { CommandModule } from 'yargs'
import { z } from 'zod'
import { type Config, loadConfig } from '#config/config.ts'
import { reasonOf } from '#node/doctor/check.ts'
import { EXIT } from '../exit.ts'

const PATIENCE_MS = 5_000

const healthSchema = z.looseObject({ status: z.string() })

/** Workers and schedulers listen on a port of their own. */
const addressOf = ({ host, port, healthPort }: Config): string => {
  const near = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  return `http://${near.includes(':') ? `[${near}]` : near}:${healthPort ?? port}/healthz`
}

type Health = Readonly<{ isOk: boolean; found: unknown; sentence: string }>

const ask = async (url: string): Promise<Health> => {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(PATIENCE_MS) })
    const found = healthSchema.parse(await response.json())
    return { isOk: response.ok, found, sentence: `${url} answers: ${found.status}` }
  } catch (error) {
    const sentence = `${url} does not answer: ${reasonOf(error)}. Is svc running there? See --host and --port.`
    return { isOk: false, found: { status: 'unreachable' }, sentence }
  }
}

export const healthCommand: CommandModule = {
  command: 'health',
  describe: 'Ask the node on this machine whether it can work',
  builder: (yargs) =>
    yargs
      .option('json', { type: 'boolean', default: false, description: 'Print JSON' })
      .example('$0 health --port 8080', 'Exit code 0 when it can work, 1 when not'),
  handler: async (flags) => {
    const { config } = loadConfig({ flags })
    const { isOk, found, sentence } = await ask(addressOf(config))
    process.stdout.write(flags.json === true ? `${JSON.stringify(found)}\n` : `${sentence}\n`)
    if (!isOk) process.exitCode = EXIT.failed
  },
}
