/** Determines which first steps are left in a workspace. Pure. */

const FIRST_STEPS = ['deploy', 'run', 'log', 'schedule', 'invite'] as const
export type FirstStep = (typeof FIRST_STEPS)[number]

/** The scope that each step needs. People without it do not see the step. */
const STEP_NEEDS: Readonly<Record<FirstStep, string>> = {
  deploy: 'deployments:write',
  run: 'jobs:run',
  log: 'jobs:read',
  schedule: 'schedules:write',
  invite: 'members:write',
}

export type StepFacts = Readonly<{
  hasApp: boolean
  hasJob: boolean
  hasSchedule: boolean
  /** Whether another person is a member or is invited. */
  hasOthers: boolean
  /** Whether a log was opened in this browser. */
  hasSeenLog: boolean
  /** Whether the checklist was shown in this browser. If not, an unopened log alone does not make it appear. */
  wasShown: boolean
}>

const isDone = (step: FirstStep, facts: StepFacts): boolean => {
  if (step === 'deploy') return facts.hasApp
  if (step === 'run') return facts.hasJob
  if (step === 'log') return facts.hasSeenLog
  return step === 'schedule' ? facts.hasSchedule : facts.hasOthers
}

export type StepState = Readonly<{ step: FirstStep; isDone: boolean }>

/**
 * @param may whether this person has a scope
 * @returns the steps of this person in order, or null if no step is left
 */
export const firstSteps = (
  facts: StepFacts,
  may: (scope: string) => boolean,
): readonly StepState[] | null => {
  const steps = FIRST_STEPS.filter((step) => may(STEP_NEEDS[step])).map((step) => ({
    step,
    isDone: isDone(step, facts),
  }))
  const left = steps.filter((each) => !each.isDone && (each.step !== 'log' || facts.wasShown))
  const isReader = !steps.some(({ step }) => step !== 'log')
  return left.length === 0 || isReader ? null : steps
}
