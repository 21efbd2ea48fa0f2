/**
 * Enqueues over a slow network: `run-wan.ts [callers] [rounds]`. Round trips of 0, 5, 10, 20 and 40 ms alternate, so that
 * the load of the machine affects them equally. Each network is a proxy in a separate process.
 */
import { spawn } from 'node:child_process'
import process from 'node:process'
import { sql } from '#store/sql.ts'
import { startFaultProxy } from '../support/fault-proxy.ts'
import { startSqld } from '../support/sqld.ts'
import { openEngine, WS } from './engine.ts'
import { usageOf } from './process-usage.ts'
import { median } from './statistics.ts'

const ROUND_TRIPS_MS = [0, 5, 10, 20, 40]
const SLICE_MS = 1_500
const WARM_UP_MS = 400

/** Runs in a separate process, so that the proxy takes no time from the measured one. */
const startProxy = (target: string, roundTripMs: number) =>
  new Promise<Readonly<{ url: string; stop: () => void }>>((resolve, reject) => {
    const child = spawn(
      process.execPath,
      [import.meta.filename, 'proxy', target, String(roundTripMs)],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    )
    child.once('error', reject)
    child.stdout.setEncoding('utf8').once('data', (text: string) => {
      resolve({ url: text.trim(), stop: () => child.kill() })
    })
  })

const runProxy = async (target: string, roundTripMs: number): Promise<void> => {
  const { url } = await startFaultProxy(target, { roundTripMs })
  process.stdout.write(`${url}\n`)
}

type Series = Readonly<{ rates: number[]; micros: number[] }>
const emptySeries = (): Series => ({ rates: [], micros: [] })

const measure = async (callers: number, rounds: number): Promise<void> => {
  const sqld = await startSqld()
  const ways = []
  for (const roundTripMs of ROUND_TRIPS_MS) {
    const proxy = await startProxy(sqld.httpUrl, roundTripMs)
    const engine = await openEngine(proxy.url)
    ways.push({ roundTripMs, proxy, engine, ...emptySeries() })
  }
  let sent = 0
  for (let round = 0; round < rounds; round += 1) {
    for (const { engine, rates, micros } of ways) {
      const send = async (ms: number): Promise<number> => {
        const [end, before] = [performance.now() + ms, sent]
        await Promise.all(
          Array.from({ length: callers }, async () => {
            while (performance.now() < end) {
              await engine.enqueue(`job-${sent}`)
              sent += 1
            }
          }),
        )
        return sent - before
      }
      await send(WARM_UP_MS)
      const [began, cpuS] = [performance.now(), usageOf(sqld.pid()).cpuS]
      const jobs = await send(SLICE_MS)
      rates.push(jobs / ((performance.now() - began) / 1_000))
      micros.push(((usageOf(sqld.pid()).cpuS - cpuS) / jobs) * 1e6)
    }
  }
  const [first] = ways
  const row = await first?.engine.deps.db.one(sql`SELECT count(*) AS n FROM jobs WHERE ws = ${WS}`)
  const near = median(first?.rates ?? [])
  for (const { roundTripMs, rates, micros } of ways) {
    const rate = median(rates)
    const line = `${callers} callers, ${roundTripMs} ms: ${rate.toFixed(0)}/s, ratio ${(rate / near).toFixed(2)}, sqld ${median(micros).toFixed(0)} µs a job`
    process.stdout.write(`${line} (${rates.map((each) => each.toFixed(0)).join(', ')})\n`)
  }
  process.stdout.write(`${sent} were answered, ${row?.n} are there\n`)
  for (const { engine, proxy } of ways) {
    await engine.close()
    proxy.stop()
  }
  await sqld.close()
}

const [first, target = '', third = ''] = process.argv.slice(2)
if (first === 'proxy') await runProxy(target, Number(third))
else {
  await measure(Number(first ?? 64), Number(target || 3))
  process.exit(0)
}
