// Shows what the service has sent to this browser, and opens its page. Nothing else: no caching, no requests.

self.addEventListener("push", (event) => {
  const { title, agent, link } = event.data.json();
  const body = agent ? agent.name : "";
  event.waitUntil(self.registration.showNotification(title, { body, icon: "/icon.svg", tag: link, data: link }));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const link = new URL(event.notification.data, self.location.origin);
  if (link.origin === self.location.origin) event.waitUntil(self.clients.openWindow(link.href));
});
