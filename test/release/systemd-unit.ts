/** Reads the command and the settings that a systemd unit of the package uses (systemd.service(5)). */

export type StartOfUnit = Readonly<{
  command: readonly string[]
  user: string
  env: Readonly<Record<string, string>>
  environmentFile: string
}>

/** @throws {Error} the unit lacks a setting */
export const readUnit = (unit: string): StartOfUnit => {
  const settings = new Map(
    unit
      .split('\n')
      .filter((line) => !line.startsWith('#') && line.includes('='))
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  )
  const setting = (name: string): string => {
    const value = settings.get(name)
    if (value === undefined) throw new Error(`The unit has no ${name}.`)
    return value
  }
  return {
    command: setting('ExecStart').split(' '),
    user: `${setting('User')}:${setting('Group')}`,
    env: readAssignments(setting('Environment').split(' ')),
    environmentFile: setting('EnvironmentFile').replace(/^-/, ''),
  }
}

/** @param lines as in an EnvironmentFile: `NAME=value`, or a comment */
export const readAssignments = (lines: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    lines
      .filter((line) => /^\w+=/.test(line))
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  )
