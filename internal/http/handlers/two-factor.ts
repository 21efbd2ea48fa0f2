import type { Deps } from '#service/deps.ts'
import {
  confirmSecondFactor,
  endTwoFactor,
  readTwoFactor,
  resetTwoFactor,
  startTwoFactor,
} from '#service/two-factor/manage-two-factor.ts'
import { created, noContent, ok } from '../answer.ts'
import { twoFactorEndpoints } from '../endpoints/two-factor.ts'
import { handlers } from '../handlers.ts'

export const twoFactorRoutes = handlers(
  twoFactorEndpoints,
  (deps: Pick<Deps, 'db' | 'newId' | 'keyring' | 'randomBytes'>) => ({
    getTwoFactor: async ({ principal, actor }) => {
      const { codesLeft, hasPassword } = await readTwoFactor(deps, { principal, actor })
      return ok({ enabled: codesLeft !== null, recoveryCodesLeft: codesLeft, hasPassword })
    },
    startTwoFactor: async ({ principal, actor, signal, body: { password } }) =>
      created(await startTwoFactor(deps, { principal, actor, signal, password })),
    confirmTwoFactor: async ({ principal, actor, body: { code } }) =>
      ok({ recoveryCodes: await confirmSecondFactor(deps, { principal, actor, code }) }),
    endTwoFactor: async ({ principal, actor, body: { code } }) => {
      await endTwoFactor(deps, { principal, actor, code })
      return noContent()
    },
    adminResetTwoFactor: async ({ params: { email }, actor }) => {
      await resetTwoFactor(deps, { email, actor })
      return noContent()
    },
  }),
)
