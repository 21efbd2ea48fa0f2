/** Error names by which scripts catch refusals of svc [jobs 15.7], by the code of the refusal. */
const ERROR_NAMES: Readonly<Record<string, string>> = {
  canceled: 'Canceled',
  state_too_large: 'StateTooLarge',
  state_full: 'StateFull',
  chain_too_deep: 'ChainTooDeep',
  too_many_starts: 'TooManyStarts',
  too_many_steps: 'TooManySteps',
  step_result_too_large: 'StepResultTooLarge',
  invalid_step_result: 'InvalidResult',
}

export const errorNameOf = (code: string): string => ERROR_NAMES[code] ?? 'Error'
