import { z } from 'zod'
import { isIssuer, parseAutoJoin } from '#core/access/oidc-identity.ts'
import { list, oneOf, settingMeta, text } from './setting.ts'

/** Refuses what would match no address: `@example.com`, `*.example.com`, `.example.com` and URLs. */
const isDomain = (text: string): boolean => /^[^\s.@:/*][^\s@:/*]*$/.test(text)

/** Settings of sign-in by OpenID Connect. */
export const oidcFields = {
  oidcIssuer: text
    .refine(isIssuer, 'must be an https address; http is for this machine only')
    .refine(
      (issuer) => !issuer.includes('/.well-known/'),
      'must be the issuer, which is the address before /.well-known/openid-configuration',
    )
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
  oidcAllowedDomains: list
    .refine((domains) => domains.every(isDomain), 'must be domains, such as example.com')
    .default([])
    .register(settingMeta, {
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
