import logging, os, sys
from django.conf import settings
from django.core.management import execute_from_command_line
from django.http import HttpResponse
from django.urls import path
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST
from hookwright_signature import SignatureError, verify

# In a project this is in settings.py. The default of 2.5 MB is too low.
settings.configure(
    ROOT_URLCONF=__name__, SECRET_KEY="not used", ALLOWED_HOSTS=["*"], DATA_UPLOAD_MAX_MEMORY_SIZE=2**23
)

@csrf_exempt  # the sender has no CSRF token; the signature protects this route
@require_POST
def receive(request):
    body = request.body  # before request.POST
    try:
        event = verify(body, request.headers, os.environ["WEBHOOK_SECRET"].split(","))
    except SignatureError as error:
        logging.warning(error)  # it contains no secret
        return HttpResponse(error.code, status=error.status)
    if not event.get("test"):
        print(event["id"], flush=True)  # your own work
    return HttpResponse(status=204)

urlpatterns = [path("webhooks", receive)]

if __name__ == "__main__":
    port = os.environ.get("PORT", "8080")
    execute_from_command_line([sys.argv[0], "runserver", "--noreload", f"127.0.0.1:{port}"])
