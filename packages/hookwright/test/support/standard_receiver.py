"""A receiver that was written for another sender: `python standard_receiver.py svix` or `… standardwebhooks`.

It has the secret of that sender in WEBHOOK_SECRET, and prints its port, then the type of each event that it accepts.
"""

import importlib
import json
import os
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer

library = importlib.import_module(sys.argv[1])
webhook = library.Webhook(os.environ["WEBHOOK_SECRET"])


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        headers = {name.lower(): value for name, value in self.headers.items()}
        try:
            webhook.verify(body, headers)
        except library.WebhookVerificationError as error:
            print("refused:", error, flush=True)
            return self.answer(401)
        print(json.loads(body)["type"], flush=True)
        self.answer(204)

    def answer(self, status):
        self.send_response(status)
        self.end_headers()

    def log_message(self, *_):
        pass


server = HTTPServer(("127.0.0.1", 0), Receiver)
print(server.server_port, flush=True)
server.serve_forever()
