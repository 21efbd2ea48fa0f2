/** `svc flows approve|reject|restart|cancel <id>`: what a person does to a run. */
import { z } from 'zod'
import { textOption } from '../command-arguments.ts'
import { readInput } from '../input.ts'
import { printLine, statusText } from '../print.ts'
import { remoteCommand, segment } from '../remote-command.ts'
import { waitForRun, waitOption } from '../wait-for-run.ts'

const EXAMPLE_ID = '01a1fd91-3d6b-770e-a570-5f660007cb1b'
const positionals = { id: 'Flow run ID' }

const run = z.looseObject({
  id: z.string(),
  status: z.string(),
  current_step: z.looseObject({ key: z.string() }).nullable(),
  /** An older server has no such field. */
  ends_as: z.string().nullish(),
})
type Run = z.infer<typeof run>

const sayRun = ({ id, status, current_step: at }: Run): void =>
  printLine(
    at === null
      ? `The run is ${statusText(status)}.`
      : `The run is ${statusText(status)} at ${at.key}: svc flows show ${id}`,
  )

const stepOption = textOption('Step to decide; refused if the run waits at another one')

const reasonOption = textOption('Reason to record')

/** The given flags as fields of a request. */
const given = (fields: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)]],
    ),
  )

export const approve = remoteCommand({
  command: 'approve <id>',
  describe: 'Approve the step at which a run waits',
  positionals,
  flags: {
    values: textOption(
      'Values of the form: JSON object, @file, or - for standard input (default: {})',
    ),
    step: stepOption,
  },
  examples: [
    [`$0 flows approve ${EXAMPLE_ID} --values '{"comment":"fine"}'`, ''],
    ['$0 flows runs --status waiting_approval', 'List the runs that wait'],
  ],
  answer: run,
  request: async ({ id, values, step }) => ({
    path: `/flow-runs/${segment(id)}/approve`,
    method: 'POST',
    json: { values: await readInput(values, 'values'), ...given({ step }) },
  }),
  print: sayRun,
})

export const reject = remoteCommand({
  command: 'reject <id>',
  describe: 'Reject the step at which a run waits',
  positionals,
  flags: { reason: reasonOption, step: stepOption },
  examples: [[`$0 flows reject ${EXAMPLE_ID} --reason "Too expensive"`, '']],
  answer: run,
  request: ({ id, reason, step }) => ({
    path: `/flow-runs/${segment(id)}/reject`,
    method: 'POST',
    json: given({ reason, step }),
  }),
  print: sayRun,
})

const restarted = z.looseObject({ flow_run_id: z.string() })

export const restart = remoteCommand({
  command: 'restart <id>',
  describe: 'Continue an ended run from one of its steps, as a new run, and print its ID',
  positionals,
  flags: {
    from: {
      type: 'string',
      requiresArg: true,
      demandOption: true,
      describe: 'First step to run; the results of the steps before it are kept',
    },
    latest: {
      type: 'boolean',
      default: false,
      describe: 'Run the code that is deployed now instead of the original',
    },
    wait: waitOption,
  },
  examples: [[`$0 flows restart ${EXAMPLE_ID} --from pay --latest --wait`, '']],
  answer: restarted,
  request: ({ id, from, latest }) => ({
    path: `/flow-runs/${segment(id)}/restart`,
    method: 'POST',
    json: { from_step: String(from), ...(latest === true ? { commit: 'latest' } : {}) },
  }),
  print: ({ flow_run_id: made }) => printLine(made),
  wait: (client, { flow_run_id: made }, flags) => waitForRun(client, made, flags),
})

/** Undo actions and the failure module may still run [flows 13.1]. */
const sayCancel = ({ id, status, ends_as: endsAs }: Run): void => {
  const after = `It ends after its undo actions and failure module: svc flows show ${id}`
  if (status !== 'running') printLine(`The run is ${statusText(status)}.`)
  else if (endsAs === 'failed') printLine(`The run had already failed and stays so. ${after}`)
  else printLine(`The run is being canceled. ${after}`)
}

export const cancel = remoteCommand({
  command: 'cancel <id>',
  describe: 'Cancel a flow run and its running jobs',
  positionals,
  flags: { reason: reasonOption },
  examples: [[`$0 flows cancel ${EXAMPLE_ID}`, '']],
  answer: run,
  request: ({ id, reason }) => ({
    path: `/flow-runs/${segment(id)}/cancel`,
    method: 'POST',
    json: given({ reason }),
  }),
  print: sayCancel,
})
