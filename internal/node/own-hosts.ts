/** The host names that are svc's own, by the settings of this node. */
import type { Config } from '#config/config.ts'
import { createOwnHosts, type OwnHosts } from '#core/function/own-hosts.ts'

/** Returns the host names that belong to svc itself, which no app can claim. */
export const ownHostsOf = (config: Config): OwnHosts =>
  createOwnHosts({ urls: [config.baseUrl, config.nodeUrl], appsDomain: config.appsDomain })
