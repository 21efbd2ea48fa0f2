import { defineMessages } from '../../language/messages.ts'

export const messages = defineMessages({
  about: {
    en: 'People with access to this workspace.',
    ko: '이 워크스페이스를 사용할 수 있는 사람들입니다.',
  },
  tabs: { en: 'Members and invites', ko: '멤버와 초대' },
  invites: { en: 'Invites', ko: '초대' },
  invite: { en: 'Invite', ko: '초대하기' },
  role: { en: 'Role', ko: '역할' },
  since: { en: 'Joined', ko: '참여' },
  you: { en: 'you', ko: '나' },
  memberHint: {
    en: 'Can read everything, run jobs and flows, approve and edit drafts. Cannot deploy or change settings, people or tokens.',
    ko: '모든 내용을 읽고, 작업과 플로우를 실행하고, 승인하고, 초안을 작성합니다. 설정·사람·토큰을 바꾸거나 배포할 수는 없습니다.',
  },
  adminHint: {
    en: 'Can do everything in this workspace, including deploying, inviting people, creating tokens and seeing all job inputs.',
    ko: '배포, 초대, 토큰 발급 등 워크스페이스의 모든 일을 할 수 있고, 모든 사람의 작업 입력을 볼 수 있습니다.',
  },
  notSaved: { en: 'Could not change the member', ko: '멤버를 변경하지 못했습니다' },
  disableTitle: {
    en: (email: string) => `Disable ${email}?`,
    ko: (email: string) => `${email} 계정을 비활성화할까요?`,
  },
  disableText: {
    en: 'All their sessions and tokens in this workspace stop working at once. You can enable them again.',
    ko: '이 워크스페이스의 세션과 토큰이 즉시 모두 끊깁니다. 나머지는 그대로이며 다시 활성화할 수 있습니다.',
  },
  disabled: { en: 'Disabled', ko: '비활성' },
  remove: { en: 'Remove', ko: '내보내기' },
  removeTitle: {
    en: (email: string) => `Remove ${email}?`,
    ko: (email: string) => `${email} 멤버를 내보낼까요?`,
  },
  removeText: {
    en: 'They lose access to this workspace at once, and their tokens here stop working. Their account and history stay. To return they need a new invite.',
    ko: '워크스페이스를 즉시 쓸 수 없게 되고 토큰도 작동하지 않습니다. 계정과 기록은 남으며, 다시 들어오려면 초대해야 합니다.',
  },
  removed: { en: 'Member removed', ko: '멤버를 내보냈습니다' },
  notRemoved: { en: 'Could not remove the member', ko: '멤버를 내보내지 못했습니다' },
  inviteTitle: { en: 'Invite a person', ko: '초대하기' },
  inviteHint: {
    en: 'You get a link to share. svc does not send e-mail.',
    ko: '전달할 링크가 만들어집니다. svc가 메일을 보내지는 않습니다.',
  },
  makeLink: { en: 'Create link', ko: '링크 만들기' },
  notInvited: { en: 'Could not create the invite', ko: '초대를 만들지 못했습니다' },
  link: {
    en: (email: string) => `Invite for ${email}`,
    ko: (email: string) => `${email} 초대 링크`,
  },
  linkNote: {
    en: 'Send it to them. It works once and expires on',
    ko: '당사자에게 전달하세요. 한 번만 쓸 수 있습니다. 만료 시각:',
  },
  noInvites: { en: 'No invites', ko: '초대가 없습니다' },
  noInvitesText: {
    en: 'An invite is a link that lets one person join with an existing or a new account.',
    ko: '초대는 한 사람이 참여할 수 있는 링크입니다. 기존 계정이나 새 계정으로 들어올 수 있습니다.',
  },
  noMembers: { en: 'No members', ko: '멤버가 없습니다' },
  noMembersText: { en: 'Invite a person.', ko: '멤버를 초대하세요.' },
  open: { en: 'Pending', ko: '대기' },
  accepted: { en: 'Accepted', ko: '수락됨' },
  expired: { en: 'Expired', ko: '만료됨' },
  by: { en: 'Invited by', ko: '초대한 사람' },
  takeBack: { en: 'Revoke', ko: '초대 취소' },
  takeBackTitle: {
    en: (email: string) => `Revoke the invite for ${email}?`,
    ko: (email: string) => `${email} 초대를 취소할까요?`,
  },
  takeBackText: {
    en: 'The invite link stops working at once.',
    ko: '초대 링크가 즉시 무효가 됩니다.',
  },
  takenBack: { en: 'Invite revoked', ko: '초대를 취소했습니다' },
  notTakenBack: { en: 'Could not revoke the invite', ko: '초대를 취소하지 못했습니다' },
})
