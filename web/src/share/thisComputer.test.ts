import { expect, it } from 'vitest';
import { isOnThisComputer } from './thisComputer';

it('is the address of a server that only this computer reaches', () => {
  for (const host of ['localhost', 'localhost:8123', 'a.localhost', '127.0.0.1:80', '[::1]:8080']) {
    expect(isOnThisComputer(`http://${host}/#v1/t.put%20a%201`), host).toBe(true);
  }
  for (const host of ['example.org', 'localhost.example.org', '192.168.0.7', '127.example.org']) {
    expect(isOnThisComputer(`https://${host}/`), host).toBe(false);
  }
  expect(isOnThisComputer('#v1/l.log')).toBe(false);
});
