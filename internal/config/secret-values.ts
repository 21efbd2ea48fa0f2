/** The secrets that this process has, so that its output for others can be checked for them. */
import { type Config, SETTINGS } from './config.ts'
import { decodePassword } from './decode-password.ts'
import { secretVariables } from './remote-environment.ts'

/** Characters. Shorter texts also occur by chance. */
const MIN_LENGTH = 6

/** The credentials within an address: user and password as written, and the password also decoded. */
const passwordsIn = (value: string): readonly string[] => {
  const { username, password } = URL.parse(value) ?? { username: '', password: '' }
  return [`${username}:${password}`, password, decodePassword(password)]
}

/** Returns the values of secret settings, of variables whose names look like secrets, and the passwords in addresses. */
export const secretValues = (config: Config): readonly string[] => {
  const settings = SETTINGS.filter(({ meta }) => meta.secret === true).map(
    ({ name }) => config[name],
  )
  const texts = Object.values(config).filter((value) => typeof value === 'string')
  const addresses = [...texts, ...config.cells.map(({ url }) => url)]
  const tokens = config.cellAuthTokens.values()
  return [...settings, ...tokens, ...secretVariables(), ...addresses.flatMap(passwordsIn)]
    .filter((value) => typeof value === 'string')
    .filter((value) => value.length >= MIN_LENGTH)
}
