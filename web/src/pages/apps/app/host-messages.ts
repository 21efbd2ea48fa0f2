import { defineMessages } from '../../../language/messages.ts'

export const messages = defineMessages({
  title: { en: 'Host names', ko: '호스트 이름' },
  none: {
    en: 'The functions of this app have no host names yet.',
    ko: '이 앱의 함수에 연결된 호스트 이름이 아직 없습니다.',
  },
  host: { en: 'Host name', ko: '호스트 이름' },
  record: { en: 'TXT record', ko: 'TXT 레코드' },
  recordName: { en: 'Copy the name', ko: '이름 복사' },
  recordValue: { en: 'Copy the value', ko: '값 복사' },
  recordText: {
    en: 'Add this TXT record to the DNS of the domain, then verify. A new record can take a few minutes to appear.',
    ko: '도메인의 DNS에 아래 TXT 레코드를 추가한 뒤 확인을 누르세요. 새 레코드가 반영되기까지 몇 분이 걸릴 수 있습니다.',
  },
  verify: { en: 'Verify', ko: '확인' },
  verifyHost: {
    en: (host: string) => `Verify ${host}`,
    ko: (host: string) => `${host} 확인`,
  },
  verified: { en: 'The host name is active', ko: '호스트 이름이 활성화되었습니다' },
  stillPending: {
    en: 'The host name is still pending',
    ko: '호스트 이름이 아직 확인되지 않았습니다',
  },
  notVerified: {
    en: 'Could not verify the host name',
    ko: '호스트 이름을 확인하지 못했습니다',
  },
  addHint: {
    en: 'A domain name that points to this server, such as api.example.com',
    ko: '이 서버를 가리키는 도메인 이름(예: api.example.com)',
  },
  remove: { en: 'Remove', ko: '삭제' },
  removeHost: {
    en: (host: string) => `Remove ${host}`,
    ko: (host: string) => `${host} 삭제`,
  },
  removeTitle: {
    en: (host: string) => `Remove ${host}?`,
    ko: (host: string) => `${host} 호스트 이름을 삭제할까요?`,
  },
  removeText: {
    en: 'The functions of this app are no longer served there. To use the name again you need a new TXT record.',
    ko: '더 이상 이 호스트에서 앱의 함수를 제공하지 않습니다. 다시 사용하려면 새 TXT 레코드가 필요합니다.',
  },
  notSaved: { en: 'Could not change the host names', ko: '호스트 이름을 변경하지 못했습니다' },
})
