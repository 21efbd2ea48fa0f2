/** Lists of which every entry has a form. */
import { isIP } from 'node:net'
import { z } from 'zod'
import { tagName } from '#core/placement/tag-name.ts'
import { isWorkspaceId } from '#core/workspace-id.ts'
import { list, text } from './setting.ts'

export const tagList = list
  .pipe(z.array(text).min(1, 'must name at least one tag'))
  .refine(
    (tags) => tags.every((tag) => tagName.safeParse(tag).success),
    'must be tags of 1 to 64 letters, digits, . - or _, separated by commas',
  )

export const workspaceList = list.refine(
  (ids) => ids.every(isWorkspaceId),
  'must be ids of workspaces, separated by commas',
)

/** Accepts `192.0.2.1`, `10.0.0.0/8` and `2001:db8::/32`. */
const isSubnet = (entry: string): boolean => {
  const [, address = '', bits = '0'] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(entry) ?? []
  const family = isIP(address)
  return family !== 0 && Number(bits) <= (family === 6 ? 128 : 32)
}

export const subnetList = list.refine(
  (entries) => entries.every(isSubnet),
  'must be addresses or subnets like 10.0.0.0/8, separated by commas',
)
