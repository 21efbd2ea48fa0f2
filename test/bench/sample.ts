/** One measurement in a process of its own, so that no sample warms or burdens the next. */
import { spawn } from 'node:child_process'
import process from 'node:process'
import { z } from 'zod'

const sample = z.object({
  value: z.number(),
  /** Seconds of CPU that the measured processes used, without the load generator. */
  cpuS: z.number(),
  /** The most memory that they held at once. */
  rssMb: z.number(),
  /** What was checked, as a sentence. */
  check: z.string(),
  more: z.record(z.string(), z.number()).optional(),
})
export type Sample = z.infer<typeof sample>

const MARK = 'sample:'

export const printSample = (made: Sample): void => {
  process.stdout.write(`${MARK}${JSON.stringify(made)}\n`)
}

/** CPU and memory of this process, with a server's beside it. */
export const ownUsage = (): Pick<Sample, 'cpuS' | 'rssMb'> => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage()
  return { cpuS: (userCPUTime + systemCPUTime) / 1e6, rssMb: maxRSS / 1_024 }
}

/** @throws {Error} it failed, with the end of what it said */
export const takeSample = (script: string, args: readonly string[]): Promise<Sample> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    let errors = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      errors = (errors + text).slice(-2_000)
    })
    child.once('error', reject)
    child.once('close', (code) => {
      const line = output.split('\n').find((each) => each.startsWith(MARK))
      if (code === 0 && line !== undefined)
        resolve(sample.parse(JSON.parse(line.slice(MARK.length))))
      else reject(new Error(`${script} ${args.join(' ')} ended with ${code}: ${errors.trim()}`))
    })
  })
