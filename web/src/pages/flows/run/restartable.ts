/** From which steps a run that is over may be taken up again (docs/flows.md: restart): all before have ended well. Pure. */
type Step = Readonly<{ key: string; kind: string; status: string }>

export const restartableSteps = (steps: readonly Step[]): readonly string[] => {
  const own = steps.filter(({ kind }) => kind !== 'failure_module')
  const stopped = own.findIndex(({ status }) => status !== 'success' && status !== 'skipped')
  const reached = stopped === -1 ? own : own.slice(0, stopped + 1)
  return reached.map(({ key }) => key)
}
