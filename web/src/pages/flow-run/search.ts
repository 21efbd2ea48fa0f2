/** Which view of a run is open, and which step is looked at; the address holds it. */
const VIEWS = ['graph', 'timeline'] as const
export type RunView = (typeof VIEWS)[number]

export type RunSearch = Readonly<{ view?: RunView; step?: string }>

export const readRunSearch = ({ view, step }: Record<string, unknown>): RunSearch => {
  const found = VIEWS.find((each) => each === view)
  // the router reads ?step=1 as a number
  const key = typeof step === 'number' ? String(step) : step
  return {
    ...(found === undefined ? {} : { view: found }),
    ...(typeof key === 'string' && key !== '' ? { step: key.slice(0, 200) } : {}),
  }
}
