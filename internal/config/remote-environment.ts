/** Reads the environment of commands that call a server [functions 15.2]. */
import process from 'node:process'

export type RemoteEnvironment = Readonly<{
  url: string | undefined
  token: string | undefined
  /** Path of `.svcrc` [functions 2.6]. */
  rcFile: string | undefined
}>

/** Returns the values that are set and not empty. A secret of a CI often ends with a line feed. */
export const remoteEnvironment = (): RemoteEnvironment => {
  const given = (name: string): string | undefined => process.env[name] || undefined
  const trimmed = (name: string): string | undefined => given(name)?.trim() || undefined
  return { url: trimmed('SVC_URL'), token: trimmed('SVC_TOKEN'), rcFile: given('SVCRC') }
}

/** Returns a variable that a file of the user names, such as the token of a registry in .npmrc; null if it is not set. */
export const environmentValue = (name: string): string | null => process.env[name] || null

const SECRET_NAME = /key|token|pass|secret|credential|headers/i

/** Returns the values of all variables whose names look like secrets, including those for other programs. */
export const secretVariables = (): readonly string[] =>
  Object.entries(process.env).flatMap(([name, value = '']) =>
    SECRET_NAME.test(name) && value !== '' ? [value] : [],
  )
