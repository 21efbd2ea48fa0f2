import { defineMessages } from '../../language/messages.ts'

export const messages = defineMessages({
  title: { en: 'Your account', ko: '내 계정' },
  you: { en: 'You', ko: '나' },
  email: { en: 'E-mail', ko: '이메일' },
  role: { en: 'Role here', ko: '이 워크스페이스의 역할' },
  member: { en: 'Member', ko: '멤버' },
  admin: { en: 'Admin', ko: '관리자' },
  superAdmin: { en: 'Super admin of the instance', ko: '인스턴스 최고 관리자' },
  workspaces: { en: 'Workspaces', ko: '워크스페이스' },
  password: { en: 'Change your password', ko: '비밀번호 변경' },
  current: { en: 'Current password', ko: '현재 비밀번호' },
  next: { en: 'New password', ko: '새 비밀번호' },
  nextHint: {
    en: 'Ten characters or more. Your sessions on other devices end; tokens stay.',
    ko: '10자 이상. 다른 기기의 세션은 종료되고 토큰은 유지됩니다.',
  },
  again: { en: 'New password, once more', ko: '새 비밀번호 확인' },
  differs: { en: 'The two are not the same.', ko: '두 비밀번호가 다릅니다.' },
  change: { en: 'Change password', ko: '비밀번호 변경' },
  changed: {
    en: 'The password was changed, and your other sessions ended',
    ko: '비밀번호를 변경하고 다른 세션을 종료했습니다',
  },
  notChanged: { en: 'The password was not changed', ko: '비밀번호를 변경하지 못했습니다' },
})
