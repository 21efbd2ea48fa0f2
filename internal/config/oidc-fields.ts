import { z } from 'zod'
import { isIssuer, parseAutoJoin } from '#core/access/oidc-identity.ts'
import { list, oneOf, settingMeta, text } from './setting.ts'

/** Settings of sign-in by OpenID Connect. */
export const oidcFields = {
  oidcIssuer: text
    .refine(isIssuer, 'must be an https address; http is for this machine only')
    .optional()
    .register(settingMeta, {
      env: 'SVC_OIDC_ISSUER',
      defaultText: 'none',
      sentence: 'Provider of OpenID Connect by which people sign in.',
    }),
  oidcClientId: text.optional().register(settingMeta, {
    env: 'SVC_OIDC_CLIENT_ID',
    defaultText: 'none',
    sentence: 'Id of svc at the provider; needed with SVC_OIDC_ISSUER.',
  }),
  oidcClientSecret: text.optional().register(settingMeta, {
    env: 'SVC_OIDC_CLIENT_SECRET',
    defaultText: 'none',
    sentence: 'Secret of svc at the provider; without one svc is a public client.',
    secret: true,
  }),
  oidcAllowedDomains: list.default([]).register(settingMeta, {
    env: 'SVC_OIDC_ALLOWED_DOMAINS',
    defaultText: 'any',
    sentence: 'Domains of e-mail addresses that may sign in, separated by commas.',
  }),
  oidcAutoJoin: z
    .string()
    .transform(parseAutoJoin)
    .refine((parsed) => parsed !== null, 'must be workspace:member or workspace:admin')
    .optional()
    .register(settingMeta, {
      env: 'SVC_OIDC_AUTO_JOIN',
      defaultText: 'no accounts are made',
      sentence:
        'Workspace and role, as default:member, of people who sign in without an account. Allow your own domains only.',
    }),
  passwordLogin: oneOf('on', 'off').default('on').register(settingMeta, {
    env: 'SVC_PASSWORD_LOGIN',
    sentence: 'off: people sign in by OpenID Connect only.',
  }),
}
