/** The page of what an audited action was done to. Pure. */
import type { LinkProps } from '@tanstack/react-router'

type Target = Readonly<{ action: string; target: string; target_name: string | null }>

/** The target begins with the key of an app: `shop`, `shop 3f2a…`, `shop/shop.example.com`. */
const APP = /^([a-z0-9][a-z0-9-]*)(?:[ /]|$)/
const PAIR = /^([^/ ]+)\/([^/ ]+)$/
const UUID_LENGTH = 36

/** Pages of what has an id. The server gives its name only while it exists. */
const pageOfId = (noun: string, id: string, ws: string): LinkProps | null => {
  const params = { ws, id }
  switch (noun) {
    case 'job':
      return { to: '/w/$ws/jobs/$id', params }
    case 'view_token':
      return { to: '/w/$ws/jobs/$id', params: { ws, id: id.slice(0, UUID_LENGTH) } }
    case 'flow_run':
      return { to: '/w/$ws/flow-runs/$id', params }
    case 'schedule':
      return { to: '/w/$ws/schedules/$id', params }
    case 'git_source':
      return { to: '/w/$ws/git-sources/$id', params }
    case 'consumer':
      return { to: '/w/$ws/customers/$id', params }
    default:
      return null
  }
}

/** Pages of what its keys identify. They may be deleted, so no entry of a deletion has one. */
const pageOfKey = (noun: string, target: string, ws: string): LinkProps | null => {
  const [, app] = APP.exec(target) ?? []
  const [, owner, key] = PAIR.exec(target) ?? []
  if ((noun === 'app' || noun === 'functions') && app !== undefined) {
    return { to: '/w/$ws/apps/$app', params: { ws, app } }
  }
  if (noun === 'draft' && app !== undefined) {
    return { to: '/w/$ws/drafts/$app', params: { ws, app } }
  }
  if (noun === 'tag_override' && owner !== undefined && key !== undefined) {
    return { to: '/w/$ws/apps/$app/actions/$action', params: { ws, app: owner, action: key } }
  }
  return null
}

/** Returns null if the target has no page, or was deleted. */
export const targetPage = (
  { action, target, target_name: name }: Target,
  ws: string,
): LinkProps | null => {
  const [noun = '', done] = action.split('.')
  if (done === 'deleted' || action === 'draft.tried') return null
  if (noun === 'flow_link') {
    const [, app, flow] = PAIR.exec(name ?? '') ?? []
    if (app === undefined || flow === undefined) return null
    return { to: '/w/$ws/flows/$app/$flow', params: { ws, app, flow }, search: { tab: 'links' } }
  }
  const byKey = pageOfKey(noun, target, ws)
  return byKey ?? (name === null ? null : pageOfId(noun, target, ws))
}
