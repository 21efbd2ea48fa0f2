/** Which part of a function is open, and which of its calls; the address holds it. */
const TABS = ['try', 'calls', 'code'] as const
export type FunctionTab = (typeof TABS)[number]

export type FunctionSearch = Readonly<{ tab?: FunctionTab; call?: string }>

export const readFunctionSearch = ({ tab, call }: Record<string, unknown>): FunctionSearch => {
  const found = TABS.find((each) => each === tab)
  return {
    ...(found === undefined ? {} : { tab: found }),
    ...(typeof call === 'string' && call !== '' ? { call: call.slice(0, 64) } : {}),
  }
}
