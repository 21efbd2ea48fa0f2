/**
 * Thirteen questions of a newcomer, each with words to search for and the file that holds the
 * rule. The steps to a rule are the number of files opened until that file is found: first files
 * whose names have one of the words, then those that use the words most.
 */
import type { Source } from './sources.ts'

type Question = Readonly<{
  question: string
  words: RegExp
  /** The file that holds the rule. `marker` is a text of the rule. */
  path: string
  marker: string
}>

export const QUESTIONS: readonly Question[] = [
  {
    question: 'When does a schedule disable itself?',
    words: /disable/gi,
    path: 'internal/service/schedules/fire-schedule.ts',
    marker: 'disable',
  },
  {
    question: 'Which headers of a webhook reach a script?',
    words: /webhook.?header/gi,
    path: 'internal/core/webhook/headers.ts',
    marker: 'authorization',
  },
  {
    question: 'Who may cancel a job?',
    words: /may.?cancel|cancel.?job/gi,
    path: 'internal/core/access/policy.ts',
    marker: 'mayCancel',
  },
  {
    question: 'What does the failure module of a flow get?',
    words: /failure.?module/gi,
    path: 'internal/core/flow/end-run.ts',
    marker: 'failureModule',
  },
  {
    question: 'How is a price charged?',
    words: /price|charge/gi,
    path: 'internal/service/billing/charge.ts',
    marker: 'charge',
  },
  {
    question: 'Where is a lease renewed?',
    words: /renew/gi,
    path: 'internal/service/queue/renew-leases.ts',
    marker: 'renew',
  },
  {
    question: 'How long does a retry wait?',
    words: /retry/gi,
    path: 'internal/core/action/retry.ts',
    marker: 'retry',
  },
  {
    question: 'After how many lost workers does a job fail?',
    words: /lost.?worker|worker.?(?:lost|loss)/gi,
    path: 'internal/core/job/worker-loss.ts',
    marker: 'crash',
  },
  {
    question: 'Which state of a job may follow which?',
    words: /job.?status|transition/gi,
    path: 'internal/core/job/transitions.ts',
    marker: 'queued',
  },
  {
    question: 'May a requester approve their own run?',
    words: /self.?approv|requester/gi,
    path: 'internal/core/flow/approval/decide.ts',
    marker: 'allowSelfApproval',
  },
  {
    question: 'Who may see the input of a job?',
    words: /see.?input|may.?see/gi,
    path: 'internal/core/access/policy.ts',
    marker: 'maySeeInput',
  },
  {
    question: 'How many wrong relay codes are allowed?',
    words: /wrong.?code|relay.?code/gi,
    path: 'internal/service/relay/code-budget.ts',
    marker: 'limit',
  },
  {
    question: 'How big may an app be?',
    words: /'app\.|app.?(?:size|bytes|files)/gi,
    path: 'internal/bundle/app-files.ts',
    marker: "'app.bytes'",
  },
]

const NAME_COUNTS = 1_000

/** @throws {Error} the rule has moved, so the question must name another file */
export const stepsTo = (
  { question, words, path, marker }: Question,
  sources: readonly Source[],
): number => {
  const hits = (text: string): number => text.match(words)?.length ?? 0
  const answer = sources.find((source) => source.path === path)
  if (answer?.text.toLowerCase().includes(marker.toLowerCase()) !== true) {
    throw new Error(`"${question}": ${path} does not hold ${marker}.`)
  }
  const opened = sources
    .filter((source) => !source.isTest && source.path.startsWith('internal/'))
    .map((source) => ({
      path: source.path,
      score: hits(source.path) * NAME_COUNTS + hits(source.text),
    }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score || a.path.localeCompare(b.path))
    .map((source) => source.path)
  const at = opened.indexOf(path)
  return at === -1 ? opened.length + 1 : at + 1
}
