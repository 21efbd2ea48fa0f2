/** One measurement in a separate process, so that samples neither warm up nor burden each other. */
import { type ChildProcess, spawn } from 'node:child_process'
import process from 'node:process'
import { z } from 'zod'

const sample = z.object({
  value: z.number(),
  /** Seconds of CPU time of the measured processes, without the load generator. */
  cpuS: z.number(),
  /** Their peak memory, in MB. */
  rssMb: z.number(),
  /** A sentence about what was checked. */
  check: z.string(),
  more: z.record(z.string(), z.number()).optional(),
})
export type Sample = z.infer<typeof sample>

const MARK = 'sample:'

export const printSample = (made: Sample): void => {
  process.stdout.write(`${MARK}${JSON.stringify(made)}\n`)
}

/** CPU and memory of this process. */
export const ownUsage = (): Pick<Sample, 'cpuS' | 'rssMb'> => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage()
  return { cpuS: (userCPUTime + systemCPUTime) / 1e6, rssMb: maxRSS / 1_024 }
}

/** A sample takes seconds. One that hangs must not delay the others. */
const LIMIT_MS = 120_000

const running = new Set<ChildProcess>()

/** Kills a sample together with the nodes that it started, which are in its group. */
const killGroup = ({ pid }: ChildProcess): void => {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // it has already ended
  }
}

let isQuitting = false

/** Kills all samples when the run ends early. No other sample starts after it. */
export const killSamples = (): void => {
  isQuitting = true
  for (const child of running) killGroup(child)
}

/** @throws {Error} it failed, with the end of its output, or took longer than two minutes */
export const takeSample = (
  script: string,
  args: readonly string[],
  settings: Readonly<Record<string, string>> = {},
): Promise<Sample> =>
  new Promise((resolve, reject) => {
    if (isQuitting) throw new Error('The run is being ended.')
    const child = spawn(process.execPath, [script, ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
      env: { ...process.env, ...settings },
    })
    running.add(child)
    const limit = setTimeout(() => {
      errors += ` It took longer than ${LIMIT_MS / 1_000} s.`
      killGroup(child)
    }, LIMIT_MS)
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
      clearTimeout(limit)
      running.delete(child)
      const line = output.split('\n').find((each) => each.startsWith(MARK))
      if (code === 0 && line !== undefined)
        resolve(sample.parse(JSON.parse(line.slice(MARK.length))))
      else reject(new Error(`${script} ${args.join(' ')} ended with ${code}: ${errors.trim()}`))
    })
  })
