import { defineMessages } from '../../language/messages.ts'

export const messages = defineMessages({
  sessions: { en: 'Where you are signed in', ko: '로그인된 기기' },
  sessionsText: {
    en: 'A session lasts 14 days. Sign out sessions that you do not recognize, then change your password.',
    ko: '세션은 14일 동안 유지됩니다. 모르는 세션은 로그아웃한 뒤 비밀번호를 변경하세요.',
  },
  thisSession: { en: 'This session', ko: '현재 세션' },
  from: { en: 'Address', ko: '주소' },
  signedIn: { en: 'Signed in', ko: '로그인 시각' },
  unknownAddress: { en: 'Unknown', ko: '알 수 없음' },
  endOne: { en: 'Sign out', ko: '로그아웃' },
  endOneOf: {
    en: (address: string) => `Sign out ${address}`,
    ko: (address: string) => `${address} 로그아웃`,
  },
  ended: { en: 'Session signed out', ko: '세션을 로그아웃했습니다' },
  endOthers: { en: 'Sign out all others', ko: '다른 세션 모두 로그아웃' },
  endOthersTitle: { en: 'Sign out all other sessions?', ko: '다른 세션을 모두 로그아웃할까요?' },
  endOthersText: {
    en: 'Every other browser has to sign in again. Tokens keep working.',
    ko: '다른 브라우저에서는 다시 로그인해야 합니다. 토큰은 계속 작동합니다.',
  },
  othersEnded: {
    en: 'All other sessions were signed out',
    ko: '다른 세션을 모두 로그아웃했습니다',
  },
  notEnded: { en: 'Could not sign out', ko: '로그아웃하지 못했습니다' },
  twoFactor: { en: 'Two-factor sign-in', ko: '2단계 인증' },
  device: { en: 'Device', ko: '기기' },
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
