import { defineMessages } from '../../language/messages.ts'

export const messages = defineMessages({
  you: { en: 'You', ko: '나' },
  role: { en: 'Role in this workspace', ko: '이 워크스페이스의 역할' },
  superAdmin: { en: 'Instance super admin', ko: '인스턴스 최고 관리자' },
  password: { en: 'Change your password', ko: '비밀번호 변경' },
  current: { en: 'Current password', ko: '현재 비밀번호' },
  next: { en: 'New password', ko: '새 비밀번호' },
  nextHint: {
    en: 'At least 10 characters. You are signed out on other devices; tokens keep working.',
    ko: '10자 이상. 다른 기기의 세션은 종료되고 토큰은 유지됩니다.',
  },
  again: { en: 'Confirm new password', ko: '새 비밀번호 확인' },
  differs: { en: 'The passwords do not match.', ko: '두 비밀번호가 다릅니다.' },
  change: { en: 'Change password', ko: '비밀번호 변경' },
  changed: {
    en: 'Password changed. Your other sessions were signed out',
    ko: '비밀번호를 변경하고 다른 세션을 종료했습니다',
  },
  notChanged: { en: 'Could not change the password', ko: '비밀번호를 변경하지 못했습니다' },
})
