/** What is left of the first steps in a workspace. Pure. */

export const FIRST_STEPS = ['deploy', 'run', 'log', 'schedule', 'invite'] as const
export type FirstStep = (typeof FIRST_STEPS)[number]

/** What each step needs; a person without it does not see the step. */
export const STEP_NEEDS: Readonly<Record<FirstStep, string>> = {
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
  /** Another person is a member or is invited. */
  hasOthers: boolean
  /** A log was opened in this browser. */
  hasSeenLog: boolean
  /** The checklist was shown in this browser. Without it, no one is sent back to a log. */
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
 * @returns the steps of this person in their order; null once there is nothing left to do
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
