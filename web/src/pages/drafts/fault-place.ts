/** Parses the place of a fault from the server: `app.yaml:5:3 actions[0]`, `lib/a.ts:1:7`, or only a file name. Pure. */
export type FaultPlace = Readonly<{ file: string; line: number; column: number }>

export const placeOfFault = (path: string, files: readonly string[]): FaultPlace | null => {
  const found = /^(.+?):(\d+):(\d+)(?: |$)/.exec(path)
  const file = found?.[1] ?? path
  if (!files.includes(file)) return null
  return { file, line: Number(found?.[2] ?? 1), column: Number(found?.[3] ?? 1) }
}
