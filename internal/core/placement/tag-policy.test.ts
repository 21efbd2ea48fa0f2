import { describe, expect, it } from 'vitest'
import { findTagRefusal, type TagChoice } from './tag-policy.ts'

const choice = (part: Partial<TagChoice>): TagChoice => ({
  requested: 'trusted',
  ownTags: ['default', 'big'],
  owner: "this action's own",
  allowedTags: null,
  holdsAppsWrite: false,
  ...part,
})

describe('choosing a tag for a job', () => {
  it('lets every caller name a tag that is the action’s own', () => {
    expect(findTagRefusal(choice({ requested: 'big' }))).toBeNull()
  })
  it('refuses another tag to a caller without apps:write, naming the own ones', () => {
    expect(findTagRefusal(choice({}))).toMatch(/"trusted".*default, big.*apps:write/)
  })
  it('lets a caller with apps:write name any tag where none is excluded', () => {
    expect(findTagRefusal(choice({ holdsAppsWrite: true }))).toBeNull()
  })
  it('holds every caller to the tags that the operator allows', () => {
    const allowedTags = ['default']
    expect(findTagRefusal(choice({ holdsAppsWrite: true, allowedTags }))).toMatch(
      /Allowed: default/,
    )
    expect(findTagRefusal(choice({ requested: 'big', allowedTags }))).toMatch(/not allowed/)
    expect(findTagRefusal(choice({ requested: 'default', allowedTags }))).toBeNull()
  })
  it('allows no tag where the list is empty', () => {
    expect(findTagRefusal(choice({ requested: 'default', allowedTags: [] }))).toMatch(/no tag is/)
  })
})
