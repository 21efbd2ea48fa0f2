/**
 * A simulation of many cells in virtual time. It is pure: a setting and its seed give the same figures each time.
 *
 * A cell is one writer that commits in groups: enqueues, ends and claims that arrive while it commits share the next
 * commit. After a commit, a server wakes the least loaded worker with room by a hint, and more workers if the jobs exceed
 * its room. A worker that ends a job claims in the same commit while jobs wait, and polls each of its cells every 30 s.
 */
import { createChance } from '../chaos/random.ts'
import {
  COSTS,
  DIRECTORY_AGE_MS,
  GROUP,
  POLL_EVERY_MS,
  type Setting,
  STREAMS_OF_NODE,
} from './model.ts'
import { createAgenda, createFairQueue, createSample, type Job } from './queue.ts'

export type Figures = Readonly<{
  jobs: number
  /** Milliseconds from the commit that queued a job to the claim, for tenants that are neither hot nor in the lost cell. */
  wait: Readonly<{ p50: number; p99: number; most: number }>
  /** The same p99 for other tenants in the cell of the hot tenant or in the lost cell. */
  neighbourWaitP99: number
  hotWaitP99: number
  /** p99 of the time from the request to the commit, for all tenants. */
  enqueueP99: number
  /** Share of time in which the writer of a cell is busy: the mean, and the busiest cell. */
  writer: Readonly<{ mean: number; most: number }>
  busySlots: number
  /** Per second. */
  hints: number
  changesAtServer: number
  pollsOfCell: number
  directoryCold: number
  /** Reads per second once each server has read each workspace. */
  directoryMost: number
  streamsOfCell: number
  refused: number
}>

const CANDIDATES = 12

type Worker = { running: number; told: number; readonly cells: number[] }
type Operation = Readonly<{ cost: number; commit: () => void }>
type Cell = {
  readonly queue: ReturnType<typeof createFairQueue>
  readonly workers: Worker[]
  waiting: Operation[]
  isBusy: boolean
  busyMs: number
  /** Number of claimed jobs whose cost the next commit includes. */
  owedMs: number
  /** Number of jobs that the current commit has queued. */
  fresh: number
}

/** Runs a setting. @returns its figures */
export const simulate = (setting: Setting): Figures => {
  const chance = createChance(setting.seed)
  const random = (): number => (chance.below(2 ** 30) + 0.5) / 2 ** 30
  const exponential = (mean: number): number => -Math.log(random()) * mean
  const agenda = createAgenda()
  const waits = { plain: createSample(), neighbour: createSample(), hot: createSample() }
  const enqueues = createSample()
  const countFrom = setting.forMs / 10
  const HOT = setting.tenants
  const total = { jobs: 0, hints: 0, changes: 0, polls: 0, refused: 0, busySlotMs: 0 }
  const readAt = new Map<number, number>()
  let coldReads = 0
  let now = 0

  const cells: Cell[] = Array.from({ length: setting.cells }, () => ({
    queue: createFairQueue(),
    workers: [],
    waiting: [],
    isBusy: false,
    busyMs: 0,
    owedMs: 0,
    fresh: 0,
  }))
  const cellAt = (index: number): Cell => {
    const cell = cells[index % cells.length]
    if (cell === undefined) throw new Error('There is no cell.')
    return cell
  }
  for (let at = 0; at < setting.workers; at += 1) {
    const span = Math.min(setting.cellsOfWorker, setting.cells)
    const worker: Worker = {
      running: 0,
      told: 0,
      cells: Array.from({ length: span }, (_, nth) => (at * span + nth) % setting.cells),
    }
    for (const index of worker.cells) cellAt(index).workers.push(worker)
  }

  const isCounted = (): boolean => now >= countFrom
  const isLost = (index: number): boolean =>
    setting.lostCell !== null &&
    index === 0 &&
    now >= setting.lostCell.fromMs &&
    now < setting.lostCell.untilMs

  const commit = (index: number): void => {
    const cell = cellAt(index)
    if (cell.isBusy || cell.waiting.length === 0) return
    if (isLost(index)) {
      cell.isBusy = true
      agenda.add(setting.lostCell?.untilMs ?? now, () => {
        cell.isBusy = false
        commit(index)
      })
      return
    }
    const group = cell.waiting.slice(0, GROUP)
    cell.waiting = cell.waiting.slice(GROUP)
    const ms = group.reduce<number>((sum, { cost }) => sum + cost, COSTS.commit) + cell.owedMs
    cell.owedMs = 0
    cell.isBusy = true
    if (isCounted()) cell.busyMs += ms
    agenda.add(now + ms, () => {
      cell.isBusy = false
      for (const operation of group) operation.commit()
      wake(index)
      commit(index)
    })
  }
  const submit = (index: number, operation: Operation): void => {
    agenda.add(now + COSTS.network, () => {
      cellAt(index).waiting.push(operation)
      commit(index)
    })
  }

  const isHotCell = (index: number): boolean => setting.hotJobsPerS > 0 && index === 1
  const record = (index: number, job: Job): void => {
    if (!isCounted()) return
    total.jobs += 1
    const waited = now - job.queuedAt
    if (job.tenant === HOT) waits.hot.add(waited)
    else if (isHotCell(index) || (setting.lostCell !== null && index === 0))
      waits.neighbour.add(waited)
    else waits.plain.add(waited)
  }
  const tellServers = (): void => {
    if (isCounted()) total.changes += 1
  }
  const claim = (index: number, worker: Worker): void => {
    const cell = cellAt(index)
    const jobs = cell.queue.take(Math.max(0, setting.slots - worker.running))
    if (jobs.length === 0) return
    cell.owedMs += jobs.length * COSTS.claimedJob
    tellServers()
    for (const job of jobs) {
      record(index, job)
      run(index, worker)
    }
  }
  const run = (index: number, worker: Worker): void => {
    const ms = exponential(setting.jobMs)
    worker.running += 1
    agenda.add(now + COSTS.network + ms, () => {
      worker.running -= 1
      if (isCounted()) total.busySlotMs += ms
      submit(index, {
        cost: COSTS.endedJob,
        commit: () => {
          tellServers()
          claim(index, worker)
        },
      })
    })
  }

  const loadOf = (worker: Worker): number => worker.running + worker.told
  /** Wakes the least loaded workers with room, as many as the jobs of this commit need. A lost hint wakes none. */
  const wake = (index: number): void => {
    const cell = cellAt(index)
    const { workers } = cell
    let left = cell.fresh
    cell.fresh = 0
    if (left === 0) return
    for (const worker of leastLoaded(workers, Math.min(left, 6))) {
      const room = setting.slots - loadOf(worker)
      if (room <= 0 || left <= 0) return
      const jobs = Math.min(left, room)
      left -= jobs
      if (isCounted()) total.hints += 1
      if (random() < setting.hintLoss) continue
      worker.told += jobs
      agenda.add(now + COSTS.network, () => {
        submit(index, {
          cost: COSTS.read,
          commit: () => {
            worker.told -= jobs
            claim(index, worker)
          },
        })
      })
    }
  }
  /** Picks the best of a few candidates. The real server considers all workers, with loads that are seconds old. */
  const leastLoaded = (workers: readonly Worker[], count: number): readonly Worker[] => {
    const first = chance.below(workers.length)
    const some = Array.from(
      { length: Math.min(CANDIDATES, workers.length) },
      (_, at) => workers[(first + at) % workers.length],
    ).filter((worker) => worker !== undefined)
    return some.toSorted((one, other) => loadOf(one) - loadOf(other)).slice(0, count)
  }

  const lookUp = (tenant: number): void => {
    const key = tenant * setting.servers + chance.below(setting.servers)
    const last = readAt.get(key)
    if (last !== undefined && now - last < DIRECTORY_AGE_MS) return
    readAt.set(key, now)
    if (now < 1_000) coldReads += 1
  }
  const enqueue = (tenant: number, index: number, askedAt: number): void => {
    if (isLost(index)) {
      if (isCounted()) total.refused += 1
      agenda.add(now + 1_000, () => enqueue(tenant, index, askedAt))
      return
    }
    submit(index, {
      cost: COSTS.enqueue,
      commit: () => {
        if (isCounted()) enqueues.add(now - askedAt)
        const cell = cellAt(index)
        cell.queue.add({ tenant, queuedAt: now })
        cell.fresh += 1
      },
    })
  }
  const arrive = (
    everyMs: number,
    next: () => Readonly<{ tenant: number; cell: number }>,
  ): void => {
    agenda.add(now + exponential(everyMs), () => {
      const { tenant, cell } = next()
      lookUp(tenant)
      enqueue(tenant, cell, now)
      arrive(everyMs, next)
    })
  }
  /** Few tenants send much and many send little: roughly, the share of the nth tenant is proportional to 1/n. */
  const pickTenant = (): number =>
    Math.min(setting.tenants - 1, Math.floor(setting.tenants ** random()) - 1)
  arrive(60_000 / setting.jobsPerMinute, () => ({
    tenant: pickTenant(),
    // a directory distributes tenants by their load, so the cells are even
    cell: chance.below(setting.cells),
  }))
  if (setting.hotJobsPerS > 0) arrive(1_000 / setting.hotJobsPerS, () => ({ tenant: HOT, cell: 1 }))
  for (const [index, cell] of cells.entries()) {
    for (const worker of cell.workers) {
      const poll = (): void => {
        if (isCounted()) total.polls += 1
        submit(index, { cost: COSTS.read, commit: () => claim(index, worker) })
        agenda.add(now + POLL_EVERY_MS, poll)
      }
      agenda.add(random() * POLL_EVERY_MS, poll)
    }
  }

  for (
    let event = agenda.take();
    event !== null && event.at <= setting.forMs;
    event = agenda.take()
  ) {
    now = event.at
    event.act()
  }
  const countedMs = setting.forMs - countFrom
  const perS = (count: number): number => (count * 1_000) / countedMs
  const shares = cells.map(({ busyMs }) => busyMs / countedMs)
  return {
    jobs: total.jobs,
    wait: {
      p50: waits.plain.quantile(0.5),
      p99: waits.plain.quantile(0.99),
      most: waits.plain.quantile(1),
    },
    neighbourWaitP99: waits.neighbour.quantile(0.99),
    hotWaitP99: waits.hot.quantile(0.99),
    enqueueP99: enqueues.quantile(0.99),
    writer: {
      mean: shares.reduce((sum, share) => sum + share, 0) / shares.length,
      most: Math.max(...shares),
    },
    busySlots: total.busySlotMs / countedMs / (setting.workers * setting.slots),
    hints: perS(total.hints),
    // each worker sends its changes to each server that it joined
    changesAtServer: perS(total.changes),
    pollsOfCell: perS(total.polls) / setting.cells,
    directoryCold: coldReads,
    directoryMost: (setting.tenants * setting.servers * 1_000) / DIRECTORY_AGE_MS,
    streamsOfCell: ((cells[0]?.workers.length ?? 0) + setting.servers) * STREAMS_OF_NODE,
    refused: total.refused,
  }
}
