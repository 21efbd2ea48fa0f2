/** Steps that earlier attempts of a durable job recorded, as the guest reads them: the first page at once, the rest on demand. */
import type { RecordedStep } from '#core/durable/step.ts'

export type Place = Readonly<{ name: string; position: number }>
export type Page = Readonly<{ steps: readonly RecordedStep[]; hasMore: boolean }>

export type JournalReader = Readonly<{
  /**
   * Takes a step out, so that its result does not stay in memory. Its `dueInMs` counts from now, but that of a wait for an event
   * from when it was read: only the host knows whether the event came in time.
   */
  take: (name: string) => Promise<RecordedStep | null>
  /** The name of the step recorded at a position, among those read so far. */
  nameAt: (position: number) => string | undefined
}>

const monotonic = performance.now.bind(performance)

/** Reads the journal of one attempt. @param load reads the page after a position */
export const readJournal = (first: Page, load: (after: Place) => Promise<Page>): JournalReader => {
  const known = new Map<string, RecordedStep & { readonly readAt: number }>()
  const names = new Map<number, string>()
  let last: Place = { position: 0, name: '' }
  let { hasMore } = first
  let loading: Promise<void> | null = null

  const add = (page: Page): void => {
    for (const step of page.steps) {
      known.set(step.name, { ...step, readAt: monotonic() })
      names.set(step.position, step.name)
      last = { position: step.position, name: step.name }
    }
    hasMore = page.hasMore
  }
  add(first)

  const loadNext = async (): Promise<void> => {
    add(await load(last))
    loading = null
  }

  return {
    take: async (name) => {
      while (!known.has(name) && hasMore) {
        loading ??= loadNext()
        await loading
      }
      const step = known.get(name)
      if (step === undefined) return null
      known.delete(name)
      const { kind, dueInMs, readAt } = step
      return dueInMs === null || kind === 'event'
        ? step
        : { ...step, dueInMs: dueInMs - (monotonic() - readAt) }
    },
    nameAt: (position) => names.get(position),
  }
}
