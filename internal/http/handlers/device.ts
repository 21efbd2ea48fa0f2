import { parseUserCode, showUserCode } from '#core/access/user-code.ts'
import { listAllMemberships } from '#service/cells/list-memberships.ts'
import type { Deps } from '#service/deps.ts'
import {
  DEVICE_TOKEN_DAYS,
  decideDeviceLogin,
  pollDeviceLogin,
  startDeviceLogin,
} from '#service/people/device-login.ts'
import { findSessionPrincipal } from '../admission/session-principal.ts'
import { ok } from '../answer.ts'
import { codeBody, decisionBody, deviceEndpoints, tokenBody } from '../endpoints/device.ts'
import { handlers } from '../handlers.ts'
import { deviceDecidedPage, devicePage } from '../pages/device-page.ts'
import { readFormBody } from '../pages/form-body.ts'
import { languageOf } from '../pages/page-language.ts'
import { signInPage } from '../pages/sign-in-page.ts'
import { pageWays, type SignInWays } from './oidc.ts'

const SECONDS_A_DAY = 86_400

type DeviceDeps = Pick<Deps, 'db' | 'home' | 'furtherCells' | 'newId' | 'randomBytes'> &
  Readonly<{ signIn: SignInWays }>

export const deviceRoutes = handlers(deviceEndpoints, (deps: DeviceDeps) => ({
  createDeviceCode: async (input) => {
    readFormBody(input, codeBody)
    const started = await startDeviceLogin(deps)
    const uri = `${input.baseUrl()}/device`
    const shown = showUserCode(started.userCode)
    return ok({
      deviceCode: started.deviceCode,
      userCode: shown,
      verificationUri: uri,
      verificationUriComplete: `${uri}?user_code=${shown}`,
      expiresIn: started.expiresInS,
      interval: started.intervalS,
    })
  },
  exchangeDeviceCode: async (input) => {
    const { fields } = readFormBody(input, tokenBody)
    const { text, ws } = await pollDeviceLogin(deps, fields.device_code)
    return ok({
      accessToken: text,
      tokenType: 'Bearer',
      expiresIn: DEVICE_TOKEN_DAYS * SECONDS_A_DAY,
      workspace: ws,
    })
  },
  approveDevice: async (input) => {
    const { fields, isForm } = readFormBody(input, decisionBody)
    const { principal, actor } = input
    await decideDeviceLogin(deps, {
      principal,
      actor,
      userCode: fields.user_code,
      ws: fields.workspace ?? null,
      approve: fields.approve,
    })
    return isForm
      ? deviceDecidedPage(fields.approve, languageOf(input))
      : ok({ approved: fields.approve })
  },
  getDevicePage: async (input) => {
    const { user_code: typed } = input.query
    const language = languageOf(input)
    const email = (await findSessionPrincipal(deps, input))?.identity ?? null
    if (email === null) {
      const ways = pageWays(deps.signIn)
      const next = `/device?user_code=${encodeURIComponent(typed)}`
      return signInPage({ next, language, ways })
    }
    const code = parseUserCode(typed)
    const workspaces = (await listAllMemberships(deps, email)).map(({ id }) => id)
    const shown = code === null ? typed : showUserCode(code)
    return devicePage({ email, code: shown, workspaces }, language)
  },
}))
