/**
 * Enqueues over a slow network: `run-wan.ts [callers] [rounds] [http]`. Round trips of 0, 5, 10, 20 and 40 ms alternate, so that
 * the load of the machine affects them equally. Each network is a proxy in a separate process. With `http` the callers send
 * requests to a node for each network, instead of enqueuing in this process.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { openDatabase } from '#store/open-database.ts'
import { sql } from '#store/sql.ts'
import { startFaultProxy } from '../support/fault-proxy.ts'
import { startSqld } from '../support/sqld.ts'
import { openEngine, WS } from './engine.ts'
import { openHttpLoad } from './http-load.ts'
import { usageOf } from './process-usage.ts'
import { median } from './statistics.ts'
import { deployNoop, startSvcNode } from './svc-node.ts'

const ROUND_TRIPS_MS = [0, 5, 10, 20, 40]
const SLICE_MS = 1_500
const WARM_UP_MS = 400
/** In the first round, which does not count, V8 compiles the code. */
const FIRST_ROUND_MS = 6_000

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

type Enqueue = Readonly<{ enqueue: (id: string) => Promise<void>; close: () => Promise<void> }>

const inProcess = async (databaseUrl: string): Promise<Enqueue> => {
  const { enqueue, close } = await openEngine(databaseUrl)
  return { enqueue: async (id) => void (await enqueue(id)), close }
}

/** The jobs wait with a tag that no worker serves. */
const overHttp = async (
  databaseUrl: string,
  callers: number,
  /** Shared by all nodes, because it contains their key. */
  dataDir: string,
): Promise<Enqueue> => {
  const node = await startSvcNode({ databaseUrl, dataDir })
  await deployNoop(node, 'bench')
  const load = openHttpLoad(node, callers)
  return {
    enqueue: async (id) => {
      const path = `/api/w/${WS}/jobs/run/bench/noop?tag=unserved`
      const { status, text } = await load.post(path, JSON.stringify({ id }))
      if (status !== 201) throw new Error(`Run answered ${status}: ${text}`)
    },
    close: async () => {
      load.close()
      await node.stop()
    },
  }
}

type Measure = Readonly<{ callers: number; rounds: number; isHttp: boolean }>

const measure = async ({ callers, rounds, isHttp }: Measure): Promise<void> => {
  const sqld = await startSqld({ place: 'disk' })
  const dataDir = mkdtempSync(join(tmpdir(), 'bench-wan-'))
  const ways = []
  for (const roundTripMs of ROUND_TRIPS_MS) {
    const proxy = await startProxy(sqld.httpUrl, roundTripMs)
    const way = await (isHttp ? overHttp(proxy.url, callers, dataDir) : inProcess(proxy.url))
    const series: Readonly<{ rates: number[]; micros: number[] }> = { rates: [], micros: [] }
    ways.push({ roundTripMs, proxy, ...way, ...series })
  }
  let sent = 0
  for (let round = -1; round < rounds; round += 1) {
    for (const { enqueue, rates, micros } of ways) {
      const send = async (ms: number): Promise<number> => {
        const [end, before] = [performance.now() + ms, sent]
        await Promise.all(
          Array.from({ length: callers }, async () => {
            while (performance.now() < end) {
              await enqueue(`job-${sent}`)
              sent += 1
            }
          }),
        )
        return sent - before
      }
      await send(round < 0 ? FIRST_ROUND_MS : WARM_UP_MS)
      if (round < 0) continue
      const [began, cpuS] = [performance.now(), usageOf(sqld.pid()).cpuS]
      const jobs = await send(SLICE_MS)
      rates.push(jobs / ((performance.now() - began) / 1_000))
      micros.push(((usageOf(sqld.pid()).cpuS - cpuS) / jobs) * 1e6)
    }
  }
  const near = median(ways[0]?.rates ?? [])
  for (const { roundTripMs, rates, micros } of ways) {
    const rate = median(rates)
    const line = `${callers} callers, ${roundTripMs} ms: ${rate.toFixed(0)}/s, ratio ${(rate / near).toFixed(2)}, sqld ${median(micros).toFixed(0)} µs a job`
    process.stdout.write(`${line} (${rates.map((each) => each.toFixed(0)).join(', ')})\n`)
  }
  for (const { close, proxy } of ways) {
    await close()
    proxy.stop()
  }
  const db = await openDatabase({ url: sqld.httpUrl })
  const row = await db.one(sql`SELECT count(*) AS n FROM jobs WHERE ws = ${WS}`)
  process.stdout.write(`${sent} were answered, ${row?.n} are there\n`)
  await db.close()
  await sqld.close()
  rmSync(dataDir, { recursive: true, force: true })
}

const [first, target = '', third = ''] = process.argv.slice(2)
if (first === 'proxy') await runProxy(target, Number(third))
else {
  const [callers, rounds] = [Number(first ?? 64), Number(target || 3)]
  await measure({ callers, rounds, isHttp: third === 'http' })
  process.exit(0)
}
